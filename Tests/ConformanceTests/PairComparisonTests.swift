import Fetching
import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Conformance

@Suite struct PairComparisonTests {
    typealias Change = @Sendable (MemoryOrigin) -> Void

    private static let name = "video.m3u8"
    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO="a"
        video.m3u8

        """
    private static let end: Int64 = 450_000_000

    /// An origin in memory at two names, filled twice with the same.
    private static func pair() -> MemoryOrigin {
        let origin = MemoryOrigin()
        for host in ["a", "b"] {
            origin["http://\(host)/live/index.m3u8"] = ByteBuffer(string: multivariant)
            for track in ["video", "audio"] {
                publish(RollingPlaylist(track: track, gaps: [end - 4], window: 5), on: origin, host)
            }
        }
        return origin
    }

    private static func publish(_ stream: RollingPlaylist, on origin: MemoryOrigin, _ host: String, end: Int64 = end) {
        let playlist = stream.playlist(end: end)
        origin["http://\(host)/live/\(stream.track).m3u8"] = ByteBuffer(string: playlist.render())
        for segment in playlist.segments where !segment.isGap {
            origin["http://\(host)/live/\(segment.uri)"] = ByteBuffer(string: "0000styp\(segment.uri)")
            if let map = segment.map {
                origin["http://\(host)/live/\(map.uri)"] = ByteBuffer(bytes: initialization)
            }
        }
    }

    /// moov of one trak that holds a tkhd of four bytes.
    private static let initialization: [UInt8] =
        [0, 0, 0, 28] + Array("moov".utf8) + [0, 0, 0, 20] + Array("trak".utf8) + [0, 0, 0, 12] + Array("tkhd".utf8)
        + [1, 2, 3, 4]

    private static func compare(_ origin: MemoryOrigin) async throws(FetchError) -> PairResult {
        try await PairComparer("http://a/live/index.m3u8", "http://b/live/index.m3u8", through: origin)
            .run(for: .zero, every: .milliseconds(1))
    }

    @Test func equalOriginsAreIdentical() async throws {
        let result = try await Self.compare(Self.pair())
        #expect(result.isIdentical)
        #expect(
            result.description == """
                identical
                compared: 2 renditions, 10 slots (2 gaps), 8 segments and 2 initialization sections of 272 bytes
                not compared: 0 slots only in the first, 0 only in the second, 0 requests failed
                """
        )
    }

    @Test func slotsThatOnlyOneListsAreNoDifference() async throws {
        let origin = Self.pair()
        Self.publish(RollingPlaylist(gaps: [Self.end - 4], window: 5), on: origin, "b", end: Self.end + 2)
        let result = try await Self.compare(origin)
        #expect(result.isIdentical)
        #expect(result.slotsOnlyInFirst == 2)
        #expect(result.slotsOnlyInSecond == 2)
    }

    @Test func aSegmentThatCannotBeHadIsNoDifference() async throws {
        let origin = Self.pair()
        origin["http://b/live/video/449999998.m4s"] = nil
        let result = try await Self.compare(origin)
        #expect(result.isIdentical)
        #expect(result.segments == 7)
        #expect(result.unavailable == 1)
    }

    @Test func whereNothingIsComparedNothingIsProven() async throws {
        let origin = Self.pair()
        for track in ["video", "audio"] { origin["http://b/live/\(track).m3u8"] = nil }
        let result = try await Self.compare(origin)
        #expect(!result.isIdentical)
        #expect(result.description.hasPrefix("nothing to compare: no segment was listed by both\n"))
    }

    @Test func anOriginThatIsNotThereIsAnError() async {
        let origin = Self.pair()
        origin["http://b/live/index.m3u8"] = nil
        await #expect(throws: FetchError.from("http://b/live/index.m3u8", .status(404))) {
            try await Self.compare(origin)
        }
    }

    private static let cases: [(change: Change, difference: String)] = [
        (
            { $0["http://b/live/index.m3u8"] = ByteBuffer(string: multivariant.replacing("1000", with: "1001")) },
            "multivariant playlist: line 3 is #EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO=\"a\" and "
                + "#EXT-X-STREAM-INF:BANDWIDTH=1001,AUDIO=\"a\""
        ),
        (
            { $0["http://b/live/video/449999998.m4s"] = ByteBuffer(string: "0000stypvideo/449999998.m4t and more") },
            "video.m3u8, segment 449999998: video/449999998.m4s: byte 26 is 0x73 and 0x74, of 27 and 36 bytes"
        ),
        (
            { $0["http://b/live/video/449999998.m4s"] = ByteBuffer(string: "0000stypvideo/449999998.m4") },
            "video.m3u8, segment 449999998: video/449999998.m4s: byte 26 is 0x73 and the end, of 27 and 26 bytes"
        ),
        (
            { $0["http://b/live/video/init-0.mp4"] = ByteBuffer(bytes: initialization.dropLast() + [5]) },
            "video.m3u8, segment 449999995: video/init-0.mp4: byte 27 in moov/trak/tkhd is 0x04 and 0x05, "
                + "of 28 and 28 bytes"
        ),
        (
            { publish(RollingPlaylist(gaps: [end - 4, end - 2], window: 5), on: $0, "b") },
            "video.m3u8, segment 449999998: EXT-X-GAP is absent and there"
        ),
        (
            { publish(RollingPlaylist(gaps: [end - 4], discontinuities: [end - 9], window: 5), on: $0, "b") },
            "video.m3u8, segment 449999995: EXT-X-DISCONTINUITY-SEQUENCE is 0 and 1"
        ),
        (
            { publish(RollingPlaylist(gaps: [end - 4], discontinuities: [end - 1], window: 5), on: $0, "b") },
            "video.m3u8, segment 449999999: EXT-X-DISCONTINUITY is absent and there"
        ),
        (
            { publish(RollingPlaylist(gaps: [end - 4], keyPeriod: 1 << 40, window: 5), on: $0, "b") },
            "video.m3u8, segment 449999995: EXT-X-KEY is none and METHOD=SAMPLE-AES,URI=keys/0"
        ),
        (
            { origin in
                let text = origin["http://b/live/video.m3u8"].map { String(buffer: $0) } ?? ""
                let changed = text.replacing("TARGETDURATION:6", with: "TARGETDURATION:7")
                origin["http://b/live/video.m3u8"] = ByteBuffer(string: changed)
            },
            "video.m3u8: EXT-X-TARGETDURATION is 6 and 7"
        ),
        (
            { origin in
                let text = origin["http://b/live/video.m3u8"].map { String(buffer: $0) } ?? ""
                origin["http://b/live/video.m3u8"] = ByteBuffer(string: text.replacing("56.000Z", with: "56.001Z"))
            },
            "video.m3u8, segment 449999999: EXT-X-PROGRAM-DATE-TIME is 2027-01-15T07:59:56.000Z and "
                + "2027-01-15T07:59:56.001Z"
        ),
        (
            { $0["http://a/live/video.m3u8"] = ByteBuffer(string: "<html>") },
            "video.m3u8: the first one's playlist is malformed: line 1: the first line is not #EXTM3U"
        ),
    ]

    @Test(arguments: cases.indices)
    func theFirstDifferenceIsToldPrecisely(index: Int) async throws {
        let (change, expected) = Self.cases[index]
        let origin = Self.pair()
        change(origin)
        let result = try await Self.compare(origin)
        #expect(result.firstDifference?.description == expected)
        #expect(!result.isIdentical)
    }

    /// Each is asked at a moment of its own: what is at the live edge is as new as that.
    @Test func partsHintsAndReportsMayBeOfAnotherMoment() async throws {
        let stream = RollingPlaylist(gaps: [Self.end - 4], window: 5)
        func difference(_ change: (inout MediaPlaylist) -> Void) async throws -> String? {
            let origin = Self.pair()
            var first = stream.lowLatency(end: Self.end, parts: 1)
            first.reports = [
                MediaPlaylist.RenditionReport(uri: "a.m3u8", lastSequence: MediaSequenceNumber(Self.end), lastPart: 0)
            ]
            var second = stream.lowLatency(end: Self.end, parts: 3)
            second.segments[1].parts.removeFirst(2)
            second.segments[2].parts = []
            change(&second)
            origin["http://a/live/video.m3u8"] = ByteBuffer(string: first.render())
            origin["http://b/live/video.m3u8"] = ByteBuffer(string: second.render())
            return try await Self.compare(origin).firstDifference?.description
        }
        let none = try await difference { _ in }
        #expect(none == nil)
        let part = try await difference { $0.segments[3].parts[1].isIndependent = true }
        let attributes = #"DURATION=1.000000,URI="video/449999998.1.m4s""#
        let differing = "\(attributes) and \(attributes),INDEPENDENT=YES"
        #expect(part == "video.m3u8, segment 449999998: EXT-X-PART is \(differing)")
        let target = try await difference { $0.partTarget = MediaTime(milliseconds: 1500) }
        #expect(target == "video.m3u8: EXT-X-PART-INF is 1 and 1.5")
        let control = try await difference { $0.serverControl?.canBlockReload = false }
        #expect(control?.hasPrefix("video.m3u8: EXT-X-SERVER-CONTROL is CAN-BLOCK-RELOAD=YES,CAN-SKIP") == true)
    }

    @Test func aSlotThatOneListsLaterIsComparedThen() {
        var comparison = PairComparison()
        _ = comparison.multivariantLoaded(Self.multivariant, Self.multivariant)
        let stream = RollingPlaylist(window: 5)
        func load(_ side: PairSide, _ end: Int64) -> [MediaSequenceNumber] {
            comparison.playlistLoaded(Self.name, side, stream.playlist(end: end).render())
                .filter { !$0.isInitialization }.map(\.number)
        }
        #expect(load(.first, 100) == [])
        #expect(load(.second, 90) == [])
        #expect(load(.second, 98).map(\.value) == [95, 96, 97])
        #expect(load(.first, 101) == [])
        #expect(load(.second, 101).map(\.value) == [98, 99, 100])
        #expect(comparison.result.slots == 6)
        #expect(comparison.result.slotsOnlyInSecond == 7)
    }
}
