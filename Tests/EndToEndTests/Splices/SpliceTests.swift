import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A feed whose breaks GStreamer announces (SCTE-35), as playlists tell of them and hls.js shows them.
@Suite struct SpliceTests {
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
        let script = Repository.script("EndToEndTests/Splices/splices.py")
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
                Repository.script("EndToEndTests/Browser/watch.py"),
                "hls.js=\(packager.url("index.m3u8"))",
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

    private struct Message: Decodable {
        var milliseconds: Int64
        var duration: Int64?
        var id: UInt32
        var event: UInt32
        var isOut: Bool
        var section: String
    }

    /// Reads the SCTE-35 in the segments of a playlist with threefive.
    private static func messages(
        in playlist: MediaPlaylist,
        of packager: PackagerProcess,
        _ directory: TemporaryDirectory
    ) async throws -> [Message] {
        var messages: [Message] = []
        for segment in playlist.segments where !segment.isGap {
            let file = directory.file("segment")
            try Data(try await HTTP.body(packager.url(segment.uri))).write(to: URL(filePath: file))
            let script = Repository.script("EndToEndTests/Splices/messages.py")
            let lines = try await Program.run(Repository.python, [script, file]).split(separator: "\n")
            messages += try lines.map { try JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
        }
        return messages
    }

    /// libavformat shows nothing of a stream of type 0x86 whose program map registers nothing.
    ///
    /// Playlists, the tags that ad servers read, and segments tell the same.
    @Test func whatNoProgramMapRegistersIsReadAndToldInAllForms() async throws {
        let directory = try TemporaryDirectory()
        let feed = directory.file("bare.ts")
        let script = Repository.script("TransportStreams/unregister.py")
        try await Program.run("/usr/bin/python3", [script, try await Self.feed(in: directory), feed])
        let common = ["--input", feed, "--no-realtime", "--segment-duration", "2", "--window", "60"]
        let deaf = try await PackagerProcess(common)
        let silent = try await deaf.mediaPlaylist("video-180p", "the stream ends") { $0.isEnded }
        #expect(silent.allDateRanges.isEmpty)
        let events = String(decoding: try await HTTP.body("\(try deaf.control)/events"), as: UTF8.self)
        #expect(events.contains("0x86") && events.contains("scte35-pid: [auto]"), "\(events)")
        await deaf.end()

        let options = ["--scte35-pid", "auto", "--scte35-cue-out", "duration", "--scte35-emsg"]
        let packager = try await PackagerProcess(common + options)
        let video = try await packager.mediaPlaylist("video-180p", "the stream ends") { $0.isEnded }
        #expect(
            !String(decoding: try await HTTP.body("\(try packager.control)/events"), as: UTF8.self).contains("0x86")
        )
        let audio = try await packager.mediaPlaylist("audio", "the stream ends") { $0.isEnded }
        let ranges = video.allDateRanges
        let start = try #require(video.segments.first?.programDateTime)
        #expect(ranges.compactMap(\.start).map { ($0 - start).milliseconds } == [9_000, 9_000, 17_000, 17_000])
        let cues = video.segments.compactMap { segment in
            segment.cue.map { "\((segment.programDateTime - start).milliseconds) \($0.lines)" }
        }
        #expect(cues.first == "9000 #EXT-X-CUE-OUT:DURATION=4.000\n")
        #expect(cues.filter { $0.contains("CUE-IN") } == ["13000 #EXT-X-CUE-IN\n", "20000 #EXT-X-CUE-IN\n"])
        #expect(cues.contains { $0.contains("#EXT-X-CUE-OUT-CONT:ElapsedTime=") })
        #expect(audio.segments.map(\.cue) == video.segments.map(\.cue))

        let told = ranges.map { tag in (tag.spliceOut ?? tag.spliceIn ?? []).map { String(format: "%02x", $0) }.joined()
        }
        var ids: [[UInt32]] = []
        for playlist in [video, audio] {
            let messages = try await Self.messages(in: playlist, of: packager, directory)
            #expect(messages.map(\.section) == told)
            #expect(messages.map(\.isOut) == [true, false, true, false])
            #expect(messages.map(\.event) == [7, 7, 8, 8])
            #expect(messages.map(\.duration) == [4_000, 0, 3_000, 0])
            let first = try #require(messages.first).milliseconds
            #expect(messages.map { $0.milliseconds - first } == [0, 4_000, 8_000, 11_000])
            ids.append(messages.map(\.id))
        }
        #expect(ids[0] == ids[1] && Set(ids[0]).count == 4)
        try await packager.expectConformance(seconds: 2)
        await packager.end()
    }
}
