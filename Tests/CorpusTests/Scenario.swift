import Foundation
import Testing

/// The course of a channel, from its beginning on.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// Names the golden, too.
    var name: String
    var settings: Settings
    var play: @Sendable (Stage) async throws -> Void

    init(
        _ name: String,
        _ settings: Settings = Settings(),
        play: @escaping @Sendable (Stage) async throws -> Void
    ) {
        self.name = name
        self.settings = settings
        self.play = play
    }

    var testDescription: String { name }

    /// All of them.
    static let all =
        codecs + live + structures + clocks + losses + failovers + restarts + splices + texts
        + clearLeads + writers

    /// - Returns: What is published meanwhile, as a golden has it.
    func record() async throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corpus-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let stage = try await Stage(settings, directory: directory)
        try await play(stage)
        return try await stage.finish()
    }
}
