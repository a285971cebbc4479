import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A feed whose breaks GStreamer announces (SCTE 35), as playlists tell of them and hls.js shows them.
@Suite(.serialized) struct SpliceTests {
    private struct Seen: Decodable {
        struct Range: Decodable {
            var id: String
            var start: String
            var duration: Double?
            var isValid: Bool
        }

        struct Cue: Decodable {
            var id: String
            var key: String?
        }

        var ok: Bool
        var dateRanges: [Range]
        var cues: [Cue]
    }

    /// Ways out after 9 and 17 seconds, for four and three.
    private static func feed(in directory: TemporaryDirectory) async throws -> String {
        let file = directory.file("splices.ts")
        let script = Repository.root.appending(path: "Tests/EndToEndTests/Splices/splices.py").path
        try await Program.run("/usr/bin/python3", [script, file, "24", "7:9:13", "8:17:20"])
        return file
    }

    @Test func breaksOfAFeedReachPlayers() async throws {
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess([
            "--input", try await Self.feed(in: directory), "--no-realtime", "--segment-duration", "2", "--window", "60",
        ])
        let playlists = [
            try await packager.mediaPlaylist("video-180p", "the stream ends") { $0.isEnded },
            try await packager.mediaPlaylist("audio", "the stream ends") { $0.isEnded },
            try await packager.mediaPlaylist("video-180p-iframes", "the stream ends") { $0.isEnded },
        ]
        let ranges = playlists[0].allDateRanges
        #expect(ranges.problems.isEmpty)
        for playlist in playlists { #expect(playlist.allDateRanges == ranges) }
        let start = try #require(playlists[0].segments.first?.programDateTime)
        #expect(ranges.compactMap(\.start).map { ($0 - start).milliseconds } == [9_000, 9_000, 17_000, 17_000])
        #expect(ranges.map { $0.plannedDuration?.milliseconds } == [4_000, nil, 3_000, nil])
        #expect(ranges.map { $0.duration?.milliseconds } == [nil, 4_000, nil, 3_000])
        #expect(ranges.map { $0.spliceOut != nil } == [true, false, true, false])
        #expect(ranges.map { $0.spliceIn != nil } == [false, true, false, true])
        // Each tag stands above the segment that begins with it.
        let begun = playlists[0].segments.filter { !$0.dateRanges.isEmpty }
        #expect(begun.map { ($0.programDateTime - start).milliseconds } == [9_000, 13_000, 17_000, 20_000])

        let output = try await Program.run(
            Repository.python,
            [
                Repository.root.appending(path: "Tests/EndToEndTests/Browser/watch.py").path,
                "hls.js=\(packager.url("index.m3u8"))", "--seconds", "25",
            ]
        )
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.ok && seen.dateRanges.allSatisfy(\.isValid), "\(output)")
        #expect(seen.dateRanges.map(\.duration) == [4, 3])
        #expect(seen.dateRanges.map(\.start) == [ranges[0], ranges[2]].compactMap { $0.start?.iso8601 })
        let keys = Set(seen.cues.compactMap(\.key))
        #expect(keys.isSuperset(of: ["SCTE35-OUT", "SCTE35-IN"]), "\(output)")
        await packager.end()
    }
}
