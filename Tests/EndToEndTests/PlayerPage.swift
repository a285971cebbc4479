import Foundation
import TestSupport

/// The record of the origin's player page in Chromium, by `Browser/play.py`.
struct PlayerPage: Decodable {
    /// The seconds in which the playhead rested once it had moved.
    var stalledSeconds: Double?
    var stalls: Int
    /// Seconds; nil if the browser plays by itself.
    var behindLive: Double?
    var gapsJumped: Int
    var warnings: [String]
    /// The times when keys were asked for, in seconds since 1970.
    var keyRequests: [Double]
    /// The protocols by their names in ALPN.
    var protocols: [String]?

    /// Plays pages side by side in one browser, until all expectations hold.
    ///
    /// - Parameters:
    ///   - urls: Of the pages.
    ///   - expectations: Options of the script, which hold for each page.
    /// - Returns: What was seen of each.
    /// - Throws: ``Program/Failure`` if an expectation did not hold.
    @discardableResult
    static func play(_ urls: [String], _ expectations: [String]) async throws -> [Self] {
        let script = Repository.script("EndToEndTests/Browser/play.py")
        let output = try await Program.run(Repository.python, [script] + urls + expectations)
        print(output)
        return try output.split(separator: "\n").map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// Plays one.
    @discardableResult
    static func play(_ url: String, _ expectations: [String]) async throws -> Self {
        try await play([url], expectations)[0]
    }
}

/// The player page of a packager in Chromium, while something happens to the packager.
final class PlayingPage: Sendable {
    private let packager: PackagerProcess
    private let program: Program

    /// Opens it.
    ///
    /// - Parameters:
    ///   - packager: Whose channel `live` is played.
    ///   - expectations: Options of the script.
    /// - Throws: If the browser cannot be started.
    init(of packager: PackagerProcess, _ expectations: [String]) throws {
        self.packager = packager
        let script = Repository.script("EndToEndTests/Browser/play.py")
        program = try Program(Repository.python, [script, packager.url("")] + expectations)
    }

    /// Waits until it plays, which takes a busy machine as long as it takes the browser to start.
    func begun() async throws {
        _ = try await eventually(within: 60, "the page plays") {
            // One that has ended says why in the end.
            self.program.errors.contains("plays http") || !self.program.isRunning ? true : nil
        }
    }

    /// Waits until all expectations hold.
    ///
    /// - Returns: What was seen.
    /// - Throws: ``Program/Failure`` if one did not, with what the packager has said.
    @discardableResult
    func seen() async throws -> PlayerPage {
        let code = await program.exitCode()
        print(program.output)
        guard code == 0, let line = program.output.split(separator: "\n").first else {
            let words = [program.output, program.errors, packager.program.errors]
            throw Program.Failure(description: "exit code \(code)\n\(words.joined(separator: "\n"))")
        }
        return try JSONDecoder().decode(PlayerPage.self, from: Data(line.utf8))
    }
}
