import Files
import Foundation
import NIOCore
import PackagerConfig

/// Reads and writes the files of a configuration.
protocol ConfigurationStorage: Sendable {
    /// Reads the configuration file.
    ///
    /// - Throws: `ConfigurationProblems` if it cannot be read.
    func file(_ path: String) throws(ConfigurationProblems) -> ConfigurationFile

    /// Reads the changes of channels by the control API; nil if there is no such file.
    ///
    /// - Throws: `ConfigurationProblems` or `FileError` if it cannot be read.
    func overlay(_ path: String) throws -> ChannelOverlay?

    /// Writes the changes of channels by the control API.
    ///
    /// - Throws: `FileError` if it cannot be written; then the file is unchanged.
    func keep(_ overlay: ChannelOverlay, at path: String) throws(FileError)
}

/// The files of the machine.
struct ConfigurationFiles: ConfigurationStorage {
    func file(_ path: String) throws(ConfigurationProblems) -> ConfigurationFile {
        try ConfigurationFile(reading: path)
    }

    func overlay(_ path: String) throws -> ChannelOverlay? {
        let bytes = try LocalFileSystem.confidential.read(path, limit: ConfigurationFile.longest)
        return try bytes.map { try ChannelOverlay(ConfigurationFile(name: path, text: String(buffer: $0))) }
    }

    func keep(_ overlay: ChannelOverlay, at path: String) throws(FileError) {
        // The directory may be a link, as systemd makes one of a StateDirectory with DynamicUser; the file may not.
        let name = path as NSString
        let file = "\(path.contains("/") ? name.deletingLastPathComponent : ".")/./\(name.lastPathComponent)"
        try LocalFileSystem.confidential.replace(file, ByteBuffer(string: overlay.text))
        try LocalFileSystem.confidential.synchronize(file)
    }
}
