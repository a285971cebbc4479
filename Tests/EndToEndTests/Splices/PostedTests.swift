import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Splices, metadata and date ranges that were posted, as software that we did not write finds them.
@Suite struct PostedTests {
    private struct Seen: Decodable {
        struct Range: Decodable {
            var id: String
            var isValid: Bool
        }

        var ok: Bool
        var dateRanges: [Range]
    }

    private struct Section: Decodable {
        var event: UInt32?
        var isOut: Bool?
        var breakDuration: Int?
        var time: Int64?
    }

    @Test func playersAndReadersFindThem() async throws {
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "2", "--window", "40", "--format", "ts",
        ])
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        let soon = MediaTime(seconds: Int64(Date.now.timeIntervalSince1970) + 10)
        try await packager.tell(#"{"ID": "show", "CLASS": "com.example", "DURATION": 30}"#, to: "dateranges")
        let splice = #"{"event": 7, "out": true, "at": "\#(soon.iso8601)", "duration": 2.5}"#
        try await packager.tell(splice, to: "splices")
        let tag = #"{"at": "\#(soon.iso8601)", "frames": [{"id": "TXXX", "description": "d", "value": "posted"}]}"#
        try await packager.tell(tag, to: "metadata")
        let playlist = try await packager.mediaPlaylist("video-360p", "the way back") {
            $0.allDateRanges.contains { $0.spliceIn != nil }
        }
        let out = try #require(playlist.allDateRanges.compactMap(\.spliceOut).first)
        let script = Repository.script("SCTE35Tests/threefive_reads.py")
        let read = try await Program.run(Repository.python, [script, Data(out).base64EncodedString()])
        let section = try JSONDecoder().decode(Section.self, from: Data(read.utf8))
        #expect(section.event == 7 && section.isOut == true && section.breakDuration == 225_000, "\(read)")
        #expect(section.time == soon.ticks % (1 << 33))
        // UTC is slewed while a splice is waited for: it is one of the two beside it.
        let instant = soon - MediaTime(milliseconds: 20)
        let segments = playlist.segments.filter { instant < $0.programDateTime + $0.duration.time }.prefix(2)
        var packets = ""
        for url in segments.map({ packager.url($0.uri) }) {
            packets += try await Program.run(
                "ffprobe",
                ["-v", "error", "-select_streams", "d", "-show_packets", "-show_data", "-of", "json", url]
            )
        }
        #expect(packets.contains("TXXX") && packets.contains("posted"), "\(packets)")
        let watch = Repository.script("EndToEndTests/Browser/watch.py")
        let output = try await Program.run(
            Repository.python,
            [watch, "hls.js=\(packager.url("index.m3u8"))"]
        )
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(
            seen.ok && seen.dateRanges.allSatisfy(\.isValid) && seen.dateRanges.contains { $0.id == "show" },
            "\(output)"
        )
        try await packager.expectConformance(seconds: 4)
        await packager.end()
    }
}
