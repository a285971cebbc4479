import Files
import Foundation
import NIOCore
import PackagerConfig

/// Reads and writes the files of a configuration.
protocol ConfigurationStorage: Sendable {
    /// Reads what the author of a configuration wrote.
    ///
    /// - Throws: `ConfigurationProblems` if it cannot be read.
    func file(_ path: String) throws(ConfigurationProblems) -> ConfigurationFile

    /// Reads what the control API has changed of channels; nil if there is no such file.
    ///
    /// - Throws: `ConfigurationProblems` or `FileError` if it cannot be read.
    func overlay(_ path: String) throws -> ChannelOverlay?

    /// Writes what the control API has changed of channels.
    ///
    /// - Throws: `FileError` if it cannot be written; then the file is as it was.
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
