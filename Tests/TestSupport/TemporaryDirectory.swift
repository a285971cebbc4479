package import Foundation

/// A directory that is gone when the test ends.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "packager-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file that only its owner may use.
    package func writeSecret(_ text: String, to name: String) throws -> String {
        let path = try write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    package func write(_ bytes: Data, to name: String) throws -> String {
        try bytes.write(to: URL(filePath: file(name)))
        return file(name)
    }
}
