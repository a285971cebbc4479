import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed tell of one programme's breaks.
@Suite struct PairSpliceTests {
    private static func settings(_ port: Int) -> [String] {
        [
            "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "2", "--window", "40",
            "--scte35-cue-out", "enhanced", "--scte35-emsg",
        ]
    }

    /// The break is announced twelve seconds ahead; the second packager comes when that has been said, and does not hear it
    /// again.
    @Test func whoComesBetweenACueAndItsSpliceTellsTheSame() async throws {
        let directory = try TemporaryDirectory()
        let feed = directory.file("feed.ts")
        try await Program.run(
            "/usr/bin/python3",
            [Repository.script("EndToEndTests/Splices/splices.py"), feed, "44", "7:21:27:12", "8:33:37:12"]
        )
        let ports = (0..<2).map { _ in Ports.free(datagram: true) }
        let first = try await PackagerProcess(Self.settings(ports[0]))
        let sender = try Program(
            Repository.python,
            [Repository.script("TransportStreams/send_utc.py"), feed] + ports.map { "\($0)" }
        )
        defer { sender.kill() }
        let before = try await first.mediaPlaylist("video-180p", "five segments") { $0.segments.count >= 5 }
        let start = try #require(before.segments.first?.programDateTime)
        #expect(before.allDateRanges.isEmpty)
        let second = try await PackagerProcess(Self.settings(ports[1]) + ["--peer", first.origin])
        let whole = try await second.mediaPlaylist("video-180p", "both breaks are over") { playlist in
            playlist.segments.compactMap(\.cue).count { $0.endsBreak } == 2
        }
        let ranges = whole.allDateRanges
        #expect(ranges.problems.isEmpty)
        #expect(
            ranges.compactMap(\.start).map { ($0 - (ranges[0].start ?? start)).milliseconds } == [0, 0, 12_000, 12_000]
        )
        #expect(whole.segments.contains { $0.programDateTime == ranges[0].start })
        let (common, differing) = try await first.comparison(with: second)
        #expect(common.count >= 12 && differing.isEmpty)
        let verdict = try await first.verdict(on: second, seconds: 2)
        #expect(verdict.code == 0, "\(verdict.text)")
        await first.end()
        await second.end()
    }
}
