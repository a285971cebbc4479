import MediaCore
import Testing

@testable import Playlists

@Suite struct LowLatencyPlaylistTests {
    private static let start = MediaTime(milliseconds: 1_795_248_000_000)

    private static func part(_ segment: Int, _ index: Int, _ milliseconds: Int64 = 1000) -> MediaPlaylist.Part {
        MediaPlaylist.Part(
            uri: "video/\(segment).\(index).m4s",
            duration: SegmentDuration(value: milliseconds * 1000, timescale: 1_000_000),
            isIndependent: index == 0
        )
    }

    private static func key(_ name: String) -> [EncryptionKey] {
        [EncryptionKey(method: .sampleAES, uri: "keys/\(name)")]
    }

    /// Segments of two seconds: an old one, one in parts, a gap that has media in its first part, and one that is not
    /// over, with another key and another map behind a discontinuity.
    private static let playlist: MediaPlaylist = {
        let map = MediaInitialization(uri: "video/init-0.mp4", keys: key("a"))
        var segments = (100..<103).map { number in
            MediaPlaylist.Segment(
                uri: "video/\(number).m4s",
                duration: SegmentDuration(value: 2_000_000, timescale: 1_000_000),
                programDateTime: start + MediaTime(seconds: 2) * Int64(number - 100),
                isGap: number == 102,
                keys: key("a"),
                map: map
            )
        }
        for index in 1...2 { segments[index].parts = [part(100 + index, 0), part(100 + index, 1)] }
        segments[1].cue = BreakCue(out: BreakCue.Break(duration: MediaTime(seconds: 30)))
        segments[2].parts[1].isGap = true
        var playlist = MediaPlaylist(
            targetDuration: 2,
            mediaSequence: MediaSequenceNumber(100),
            discontinuitySequence: 4,
            segments: segments,
            keyHint: KeyHint(key: key("c")[0], firstUse: start + MediaTime(seconds: 60))
        )
        playlist.partTarget = MediaTime(seconds: 1)
        playlist.serverControl = MediaPlaylist.ServerControl(
            canSkipUntil: MediaTime(seconds: 12),
            canSkipDateRanges: true,
            holdBack: MediaTime(seconds: 6),
            partHoldBack: MediaTime(seconds: 3),
            canBlockReload: true
        )
        playlist.openSegments = [
            MediaPlaylist.OpenSegment(
                programDateTime: start + MediaTime(seconds: 6),
                startsDiscontinuity: true,
                keys: key("b"),
                map: MediaInitialization(uri: "video/init-1.mp4", keys: key("b")),
                parts: [part(103, 0, 960)]
            )
        ]
        playlist.hints = [MediaPlaylist.PreloadHint(kind: .part, uri: "video/103.1.m4s")]
        playlist.reports = [
            MediaPlaylist.RenditionReport(uri: "audio.m3u8", lastSequence: MediaSequenceNumber(103), lastPart: 0)
        ]
        return playlist
    }()

    private static let head = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:2
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.000000,CAN-SKIP-DATERANGES=YES,\
        HOLD-BACK=6.000000,PART-HOLD-BACK=3.000000
        #EXT-X-PART-INF:PART-TARGET=1.000000
        #EXT-X-MEDIA-SEQUENCE:100
        #EXT-X-DISCONTINUITY-SEQUENCE:4

        """
    private static let whole = """
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/a"
        #EXT-X-MAP:URI="video/init-0.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
        #EXTINF:2.000000,
        video/100.m4s

        """
    private static let tail = """
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:02.000Z
        #EXT-X-PART:DURATION=1.000000,URI="video/101.0.m4s",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1.000000,URI="video/101.1.m4s"
        #EXT-X-CUE-OUT:DURATION=30.000
        #EXTINF:2.000000,
        video/101.m4s
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:04.000Z
        #EXT-X-PART:DURATION=1.000000,URI="video/102.0.m4s",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1.000000,URI="video/102.1.m4s",GAP=YES
        #EXT-X-GAP
        #EXTINF:2.000000,
        video/102.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/b"
        #EXT-X-MAP:URI="video/init-1.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:06.000Z
        #EXT-X-PART:DURATION=0.960000,URI="video/103.0.m4s",INDEPENDENT=YES

        """
    private static let end = """
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="video/103.1.m4s"
        #EXT-X-PRELOAD-HINT:TYPE=KEY,URI="keys/c",METHOD=SAMPLE-AES,DATE-OF-FIRST-USE="2026-11-21T08:01:00.000Z"
        #EXT-X-RENDITION-REPORT:URI="audio.m3u8",LAST-MSN=103,LAST-PART=0

        """

    @Test func aLowLatencyPlaylistFromHeadToEnd() throws {
        let text = Self.playlist.render()
        #expect(text == Self.head + Self.whole + Self.tail + Self.end)
        #expect(try MediaPlaylist(parsing: text) == Self.playlist)
    }

    @Test func aSegmentThatEndsAddsLinesBelowThoseOfItsParts() {
        var lines = PlaylistLines(isIFramesOnly: false)
        let segment = Self.playlist.segments[1]
        let open = MediaPlaylist.OpenSegment(
            programDateTime: segment.programDateTime,
            keys: segment.keys,
            map: segment.map,
            parts: segment.parts
        )
        var before = lines
        before.append(open)
        lines.append(segment)
        #expect(lines.text.hasPrefix(before.text))
        #expect(
            lines.text.dropFirst(before.text.count)
                == "#EXT-X-CUE-OUT:DURATION=30.000\n#EXTINF:2.000000,\nvideo/101.m4s\n"
        )
        #expect(lines.scopeAfter == before.scopeAfter)
    }

    @Test(arguments: [(nil, 9, ""), ([], 10, ",RECENTLY-REMOVED-DATERANGES=\"\"")] as [([String]?, Int, String)])
    func aDeltaUpdateHasASkipWhereSegmentsWere(removed: [String]?, version: Int, attribute: String) throws {
        var delta = Self.playlist
        delta.segments.removeFirst()
        delta.skip = MediaPlaylist.Skip(segmentCount: 1, removedDateRanges: removed)
        let head = Self.head.replacing("VERSION:6", with: "VERSION:\(version)")
        let scope = Self.whole.split(separator: "\n").prefix(2).map { "\($0)\n" }.joined()
        let text = delta.render()
        #expect(text == "\(head)#EXT-X-SKIP:SKIPPED-SEGMENTS=1\(attribute)\n\(scope)\(Self.tail)\(Self.end)")
        #expect(try MediaPlaylist(parsing: text) == delta)
    }

    @Test func removedDateRangesAreSeparatedByTabs() throws {
        var delta = Self.playlist
        delta.skip = MediaPlaylist.Skip(segmentCount: 1, removedDateRanges: ["splice-1", "say \"hi\"\tthere"])
        let text = delta.render()
        #expect(text.contains("RECENTLY-REMOVED-DATERANGES=\"splice-1\tsay 'hi' there\"\n"))
        #expect(try MediaPlaylist(parsing: text).skip?.removedDateRanges == ["splice-1", "say 'hi' there"])
    }

    /// Classic players ignore tags that they do not know.
    @Test func withoutTheNewTagsItIsAPlaylistOfWholeSegments() throws {
        let tags = ["SERVER-CONTROL", "PART", "PRELOAD-HINT", "RENDITION-REPORT"]
        let old = Self.playlist.render().split(separator: "\n").filter { line in
            !tags.contains { line.hasPrefix("#EXT-X-\($0)") }
        }
        var expected = Self.playlist.segments
        for index in expected.indices { expected[index].parts = [] }
        #expect(try MediaPlaylist(parsing: old.joined(separator: "\n")).segments == expected)
    }

    @Test func nothingIsHintedOrReportedWhereNothingFollows() {
        var ended = Self.playlist
        ended.isEnded = true
        #expect(ended.render().hasSuffix("103.0.m4s\",INDEPENDENT=YES\n#EXT-X-ENDLIST\n"))
    }

    private static func text(_ lines: String) -> String {
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-PART-INF:PART-TARGET=1
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z

        """ + lines
    }

    @Test func aPartGoesOnInItsResource() throws {
        let playlist = try MediaPlaylist(
            parsing: Self.text(
                """
                #EXT-X-PART:DURATION=1,URI="0.m4s",BYTERANGE="20@0"
                #EXT-X-PART:DURATION=1,URI="0.m4s",BYTERANGE="30"
                #EXTINF:2,
                0.m4s
                #EXT-X-PART:DURATION=1,URI="1.m4s",BYTERANGE="7@5"
                """
            )
        )
        #expect(playlist.segments[0].parts.map(\.byteRange) == [0..<20, 20..<50])
        #expect(playlist.openSegments[0].parts.map(\.byteRange) == [5..<12])
        #expect(playlist.openSegments[0].programDateTime == Self.start + MediaTime(seconds: 2))
    }

    @Test func theDateOfAnOpenSegmentDatesThoseBeforeIt() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-TARGETDURATION:4
                #EXT-X-PART-INF:PART-TARGET=1
                #EXTINF:4,
                0.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXT-X-PART:DURATION=1,URI="1.0.m4s"
                """
        )
        #expect(playlist.segments[0].programDateTime == Self.start - MediaTime(seconds: 4))
    }

    @Test func whatAReportDoesNotSayIsAsInThePlaylist() throws {
        let playlist = try MediaPlaylist(
            parsing: Self.text(
                """
                #EXT-X-MEDIA-SEQUENCE:40
                #EXT-X-SKIP:SKIPPED-SEGMENTS=10
                #EXTINF:4,
                50.m4s
                #EXT-X-PART:DURATION=1,URI="51.0.m4s"
                #EXT-X-RENDITION-REPORT:URI="../a.m3u8",LAST-PART=0
                """
            )
        )
        #expect(
            playlist.reports == [
                MediaPlaylist.RenditionReport(uri: "../a.m3u8", lastSequence: MediaSequenceNumber(51), lastPart: 0)
            ]
        )
    }

    @Test func ofHintsOfOneKindTheFirstCounts() throws {
        let hint = "#EXT-X-PRELOAD-HINT:TYPE=MAP,BYTERANGE-LENGTH=9,URI="
        let playlist = try MediaPlaylist(parsing: Self.text("\(hint)\"a\"\n\(hint)\"b\"\n"))
        #expect(playlist.hints == [MediaPlaylist.PreloadHint(kind: .map, uri: "a", byteRangeLength: 9)])
    }

    private static func error(_ line: Int, _ reason: PlaylistParsingError.Reason) -> PlaylistParsingError {
        PlaylistParsingError(line: line, reason: reason)
    }

    private static let part = "#EXT-X-PART:DURATION=1,URI=\"0.0.m4s\"\n"

    @Test(arguments: [
        ("#EXT-X-PART:DURATION=1", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART:URI=\"a\"", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART:URI=\"a\",DURATION=-1", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"9\"", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"9@x\"", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=9", error(5, .malformed(tag: "EXT-X-PART"))),
        ("#EXT-X-PART-INF:PART-TARGET=1", error(5, .duplicate(tag: "EXT-X-PART-INF"))),
        ("#EXT-X-SERVER-CONTROL:", error(5, .malformed(tag: "EXT-X-SERVER-CONTROL"))),
        ("#EXT-X-SERVER-CONTROL:HOLD-BACK=soon", error(5, .malformed(tag: "EXT-X-SERVER-CONTROL"))),
        ("#EXT-X-SERVER-CONTROL:CAN-SKIP-DATERANGES=YES", error(5, .malformed(tag: "EXT-X-SERVER-CONTROL"))),
        (
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES",
            error(6, .duplicate(tag: "EXT-X-SERVER-CONTROL"))
        ),
        ("#EXT-X-PRELOAD-HINT:URI=\"a\"", error(5, .malformed(tag: "EXT-X-PRELOAD-HINT"))),
        ("#EXT-X-PRELOAD-HINT:TYPE=PART", error(5, .malformed(tag: "EXT-X-PRELOAD-HINT"))),
        (
            "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\",BYTERANGE-START=-1",
            error(5, .malformed(tag: "EXT-X-PRELOAD-HINT"))
        ),
        ("#EXT-X-RENDITION-REPORT:LAST-MSN=1", error(5, .malformed(tag: "EXT-X-RENDITION-REPORT"))),
        ("#EXT-X-RENDITION-REPORT:URI=\"a\",LAST-MSN=x", error(5, .malformed(tag: "EXT-X-RENDITION-REPORT"))),
        ("#EXT-X-RENDITION-REPORT:URI=\"a\"", error(5, .malformed(tag: "EXT-X-RENDITION-REPORT"))),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=few", error(5, .malformed(tag: "EXT-X-SKIP"))),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1", error(6, .duplicate(tag: "EXT-X-SKIP"))),
        ("#EXTINF:4,\n0.m4s\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1", error(7, .late(tag: "EXT-X-SKIP"))),
        ("\(part)#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\n0.m4s", error(6, .late(tag: "EXT-X-KEY"))),
        ("\(part)#EXT-X-MAP:URI=\"m\"\n#EXTINF:1,\n0.m4s", error(6, .late(tag: "EXT-X-MAP"))),
        ("\(part)#EXT-X-DISCONTINUITY\n\(part)#EXTINF:1,\n0.m4s", error(6, .late(tag: "EXT-X-DISCONTINUITY"))),
        (
            "\(part)#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z\n#EXTINF:1,\n0.m4s",
            error(6, .late(tag: "EXT-X-PROGRAM-DATE-TIME"))
        ),
    ])
    func whatBreaksTheGrammarIsRefusedWithItsLine(lines: String, error: PlaylistParsingError) {
        #expect(throws: error) { try MediaPlaylist(parsing: Self.text(lines)) }
    }

    @Test(arguments: [
        ("#EXT-X-PART-INF:PART-TARGET=0\n", error(3, .malformed(tag: "EXT-X-PART-INF"))),
        ("#EXT-X-PART-INF:URI=\"a\"\n", error(3, .malformed(tag: "EXT-X-PART-INF"))),
        ("#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z\n\(part)", error(4, .missing(tag: "EXT-X-PART-INF"))),
        ("#EXT-X-PART-INF:PART-TARGET=1\n\(part)", error(4, .missing(tag: "EXT-X-PROGRAM-DATE-TIME"))),
    ])
    func whatPartsNeedIsThere(lines: String, error: PlaylistParsingError) {
        #expect(throws: error) { try MediaPlaylist(parsing: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + lines) }
    }
}
