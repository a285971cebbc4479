import MediaCore
import Playlists
import Testing

@testable import Conformance
@testable import Drills

struct SlotCollectorTests {
    private static let zero: Int64 = 1_767_225_600
    private let clock = DrillClock(
        origin: FeedOrigin(instant: .now, utc: MediaTime(seconds: Self.zero - 10)),
        warmUp: MediaTime(seconds: 10)
    )

    private func playlist(_ first: Int64, _ letters: String) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase { text += "#EXT-X-DISCONTINUITY\n" }
            if letter.lowercased() == "g" { text += "#EXT-X-GAP\n" }
            let date = MediaTime(seconds: Self.zero + first + Int64(index)).iso8601
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:1.00000,\n\(first + Int64(index)).m4s\n"
        }
        return try MediaPlaylist(parsing: text)
    }

    private func collector() throws -> SlotCollector {
        var collector = SlotCollector()
        collector.multivariantLoaded(
            try MultivariantPlaylist(
                parsing: """
                    #EXTM3U
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="audio-eng.m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
                    video-360p.m3u8

                    """
            )
        )
        return collector
    }

    @Test func renditionsAreThoseOfTheMultivariantPlaylist() throws {
        #expect(try collector().renditions.map(\.name) == ["video-360p", "audio-eng"])
        #expect(try collector().renditions.map(\.isVideo) == [true, false])
    }

    @Test func aPlayerHasAWindowWithThreeTargetDurationsOfMediaInAllRenditions() throws {
        var collector = try collector()
        #expect(!collector.hasWindow)
        collector.playlistLoaded("video-360p.m3u8", try playlist(3, "mmmmmm"), requested: 0, now: 10, clock: clock)
        collector.playlistLoaded("audio-eng.m3u8", try playlist(3, "mmgmmm"), requested: 0, now: 10, clock: clock)
        #expect(!collector.hasWindow)
        collector.playlistLoaded("audio-eng.m3u8", try playlist(3, "mmgmmmm"), requested: 0, now: 10, clock: clock)
        #expect(collector.hasWindow)
    }

    @Test func aSlotIsAsItWasListedFirst() throws {
        var collector = try collector()
        collector.playlistLoaded("video-360p.m3u8", try playlist(3, "mg"), requested: 5000, now: 5010, clock: clock)
        collector.playlistLoaded("video-360p.m3u8", try playlist(4, "mMg"), requested: 6000, now: 6010, clock: clock)
        let expected = [
            DrillRecord.Slot(number: 3, span: Span(3000, 4000), kind: .media, listed: 5010),
            DrillRecord.Slot(number: 4, span: Span(4000, 5000), kind: .gap, listed: 5010),
            DrillRecord.Slot(number: 5, span: Span(5000, 6000), kind: .media, isDiscontinuity: true, listed: 6010),
            DrillRecord.Slot(number: 6, span: Span(6000, 7000), kind: .gap, listed: 6010),
        ]
        #expect(collector.renditions[0].slots == expected)
        #expect(collector.targetDuration == 2)
    }

    @Test func onlyAQuestionThatFoundNothingNewProvesAnAge() throws {
        var collector = try collector()
        let (old, new) = (try playlist(3, "m"), try playlist(3, "mm"))
        collector.playlistLoaded("video-360p.m3u8", old, requested: 1000, now: 1010, clock: clock)
        collector.playlistLoaded("video-360p.m3u8", old, requested: 1500, now: 1510, clock: clock)
        collector.playlistLoaded("video-360p.m3u8", new, requested: 3000, now: 3010, clock: clock)
        collector.playlistLoaded("video-360p.m3u8", new, requested: 3200, now: 3900, clock: clock)
        collector.finish(at: 4000)
        let expected = [
            DrillRecord.Age(time: 3010, rendition: "video-360p", age: 490),
            DrillRecord.Age(time: 4000, rendition: "video-360p", age: 190),
        ]
        #expect(collector.ages == expected)
    }

    @Test func ofTwoOriginsTheFirstThatListsASlotSaysHowItIs() throws {
        var (first, second) = (try collector(), try collector())
        first.playlistLoaded("video-360p.m3u8", try playlist(3, "m"), requested: 0, now: 1, clock: clock)
        first.playlistLoaded("video-360p.m3u8", try playlist(3, "mg"), requested: 8, now: 9, clock: clock)
        second.playlistLoaded("video-360p.m3u8", try playlist(4, "mm"), requested: 4, now: 5, clock: clock)
        let record = DrillRecord(
            clock: clock,
            span: Span(0, 10),
            origins: [first, second],
            viewer: nil,
            events: [],
            hasEvents: true
        )
        #expect(record.renditions[0].slots.map(\.number) == [3, 4, 5])
        #expect(record.renditions[0].slots.map(\.kind) == [.media, .media, .media])
        #expect(record.zero == "2026-01-01T00:00:00.000Z")
        #expect(record.targetDuration == 2)
    }

    @Test func fillersAreTheSlotsThatThePackagerSaysSoOf() throws {
        var collector = try collector()
        collector.playlistLoaded("video-360p.m3u8", try playlist(3, "mmmgm"), requested: 0, now: 1, clock: clock)
        let events = [(4, "filler"), (7, "media")].map { slot, kind in
            DrillRecord.Event(time: 0, source: "p", kind: kind, renditions: ["video-360p"], slot: slot, message: "")
        }
        let record = DrillRecord(
            clock: clock,
            span: Span(0, 9),
            origins: [collector],
            viewer: nil,
            events: events,
            hasEvents: true
        )
        #expect(record.renditions[0].slots.map(\.kind) == [.media, .filler, .filler, .gap, .media])
    }

    @Test func sourcesFollowTheSwitches() {
        var record = DrillRecord.sample(video: "mmmmmmmmmmmmmmmm")
        #expect(record.sources(of: record.renditions[0]) == [])
        record.events = [
            .init(
                time: 6300,
                source: "p1",
                kind: "switched",
                input: "backup-1",
                renditions: ["video-360p"],
                slot: 109,
                message: ""
            ),
            .init(
                time: 6310,
                source: "p2",
                kind: "switched",
                input: "backup-1",
                renditions: ["video-360p"],
                slot: 109,
                message: ""
            ),
            .init(time: 9000, source: "p1", kind: "switched", input: "input-1", message: ""),
        ]
        let expected = [
            DrillRecord.Source(input: "input-1", span: Span(-4000, 5000)),
            DrillRecord.Source(input: "backup-1", span: Span(5000, 9000)),
            DrillRecord.Source(input: "input-1", span: Span(9000, 12_000)),
        ]
        #expect(record.sources(of: record.renditions[0]) == expected)
    }

    /// Other origins than this one may say an end by its date.
    @Test(arguments: ["DURATION=2.5", #"END-DATE="2026-01-01T00:00:06.500Z""#])
    func breaksAreCollectedFromTheirFirstTagToTheirLast(end: String) throws {
        var collector = try collector()
        let out = #"#EXT-X-DATERANGE:ID="7",START-DATE="2026-01-01T00:00:04.000Z",SCTE35-OUT=0xFC"#
        let back = #"#EXT-X-DATERANGE:ID="7",START-DATE="2026-01-01T00:00:04.000Z",\#(end),SCTE35-IN=0xFC"#
        let other = #"#EXT-X-DATERANGE:ID="8",START-DATE="2026-01-01T00:00:04.000Z",DURATION=0.000,SCTE35-CMD=0xFC"#
        for (tags, now) in [("", 1), (out, 2), ("\(other)\n\(out)", 3), ("\(out)\n\(back)", 4)] {
            let text =
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:3\n\(tags)\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:03.000Z\n#EXTINF:1,\n3.m4s\n"
            let playlist = try MediaPlaylist(parsing: text)
            collector.playlistLoaded("video-360p.m3u8", playlist, requested: now, now: now, clock: clock)
        }
        #expect(collector.ranges == [DrillRecord.Range(id: "7", start: 4_000, end: 6_500, listed: 2)])
    }
}
