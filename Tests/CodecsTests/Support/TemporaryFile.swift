import Foundation

enum TemporaryFile {
    /// Gives the name of a file that is gone when the work is done.
    static func with<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "codecs-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }
}
