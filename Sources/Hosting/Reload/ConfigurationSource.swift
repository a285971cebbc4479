import Files
import Foundation
import NIOCore
package import PackagerConfig

/// The flags, variables and files that a configuration comes from, so that it can be read again.
package struct ConfigurationSource {
    /// Values by name, as the command line has them.
    var flags: [String: [String]] = [:]
    package var environment: [String: String] = ProcessInfo.processInfo.environment
    /// The path of the file; nil if there is none.
    var path: String?
    /// The path of the file for changes by the control API; nil if they cannot be stored.
    package private(set) var overlayPath: String?
    /// Reads and writes the files.
    var storage: any ConfigurationStorage = ConfigurationFiles()

    /// - Parameters:
    ///   - flags: The values of the command line, by name.
    ///   - path: The path of the file; nil if there is none.
    ///   - overlayPath: The path of the file of changes to channels; nil puts it beside the configuration file.
    package init(flags: [String: [String]] = [:], path: String?, overlayPath: String? = nil) {
        self.flags = flags
        self.path = path
        self.overlayPath = overlayPath ?? path.map { "\(($0 as NSString).deletingPathExtension).channels.yaml" }
    }

    /// Reads its files.
    ///
    /// - Throws: `ConfigurationProblems` if one of them cannot be read.
    package func texts() throws -> ConfigurationTexts {
        var texts = ConfigurationTexts(overlayName: overlayPath ?? "")
        texts.file = try path.map { path in try storage.file(path) }
        if let overlayPath, let overlay = try storage.overlay(overlayPath) { texts.overlay = overlay }
        return texts
    }

    /// Reads the texts, also with problems.
    ///
    /// - Throws: `ConfigurationProblems` if nothing of it can be read.
    package func read(_ texts: ConfigurationTexts) throws(ConfigurationProblems) -> ConfigurationReading {
        try Configuration.read(flags: flags, environment: environment, texts: texts)
    }

    /// Stores the changes of channels for the next start.
    ///
    /// - Throws: ``FileError`` if they cannot be stored; then the former file stays.
    func keep(_ overlay: ChannelOverlay) throws(FileError) {
        guard let overlayPath else { return }
        try storage.keep(overlay, at: overlayPath)
    }
}
