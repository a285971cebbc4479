import Foundation
import MediaCore
import Playlists
import TestSupport

/// A packager with parts for edges to stand in front of.
enum LowLatencyStage {
    /// Seconds.
    static let partDuration = 0.5

    static func packager(segmentDuration: Int = 2) async throws -> PackagerProcess {
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "\(segmentDuration)", "--window", "60",
            "--part-duration", "\(partDuration)",
        ])
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        return packager
    }

    /// Two packagers on one feed, both with something to play.
    static func pair(_ fixture: PairFixture) async throws -> [PackagerProcess] {
        let own = ["--window": "60", "--part-duration": "\(partDuration)"]
        let one = try await fixture.packager(0, own)
        let other = try await fixture.packager(1, own.merging(["--peer": one.origin]) { own, _ in own })
        for packager in [one, other] {
            _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        }
        return [one, other]
    }

    static func isOfVideo(_ fetch: Edge.Fetch) -> Bool { fetch.target.hasPrefix("/live/video-360p") }

    /// The number of the segment that comes after the last one.
    static func next(_ playlist: MediaPlaylist) -> Int64 {
        playlist.mediaSequence.value + Int64(playlist.segments.count)
    }
}
