import Foundation
import TestSupport

/// The record of the origin's player page in Chromium, by `Browser/play.py`.
struct PlayerPage: Decodable {
    /// The seconds in which the playhead rested once it had moved.
    var stalledSeconds: Double?
    var stalls: Int
    /// Seconds; nil where the browser plays by itself.
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
    /// - Throws: ``Program/Failure`` where an expectation did not hold.
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
