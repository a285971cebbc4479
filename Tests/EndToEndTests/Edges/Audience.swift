import Foundation
import TestSupport

/// The record of players that have followed a media playlist, by `audience.py`.
struct Audience: Decodable {
    /// Requests that were answered.
    var requests: Int
    var failures: [String]
    /// Reloads that were answered before there was anything new.
    var early: Int
    /// Seconds for which players stood still, all together.
    var stalled: Double
    /// Seconds for which players watched, all together.
    var watched: Double
    /// Seconds from the end of a hinted part to its arrival, in the median; nil if no part was hinted.
    var lag: Double?
    /// Segments and parts, each of which was the same to all.
    var media: Int
    /// Five players that have followed another playlist at the same time; nil if there were none.
    var beside: Beside?

    struct Beside: Decodable {
        var failures: [String]
        var early: Int
        var stalled: Double
        var watched: Double
        var lag: Double?

        var isSmooth: Bool { Audience.isSmooth(stalled, watched) }
    }

    /// True if players stood still for less than a thousandth of the time.
    ///
    /// On a busy machine they are late themselves now and then. A fault that all of them notice for a tenth of a second is more.
    var isSmooth: Bool { Self.isSmooth(stalled, watched) }

    private static func isSmooth(_ stalled: Double, _ watched: Double) -> Bool { stalled < watched / 1000 }

    /// Watches for a while.
    ///
    /// - Parameters:
    ///   - playlist: The URL of the media playlist.
    ///   - viewers: The number of players.
    ///   - seconds: The time for which each plays.
    ///   - lowLatency: True for players that ask for parts.
    ///   - beside: The URL of a playlist that five more players follow.
    /// - Returns: What they have seen.
    /// - Throws: If the script fails.
    static func watch(
        _ playlist: String,
        viewers: Int = 200,
        seconds: Int = 20,
        lowLatency: Bool = false,
        beside: String? = nil
    ) async throws -> Self {
        let output = try await Program.run(
            Repository.python,
            [
                Repository.script("EndToEndTests/Edges/audience.py"), playlist, "--viewers", "\(viewers)", "--seconds",
                "\(seconds)",
            ] + (lowLatency ? ["--low-latency"] : []) + (beside.map { ["--beside", $0] } ?? [])
        )
        print(output)
        return try JSONDecoder().decode(Self.self, from: Data(output.utf8))
    }
}
