import MediaCore
import TestSupport
import Testing

@testable import Playlists

/// EXT-X-DATERANGE as lines and back, and its rules (RFC 8216bis § 4.4.5.1).
@Suite struct DateRangeTests {
    private static let start = MediaTime(seconds: 28)

    private static let all: DateRange = {
        var range = DateRange(id: "splice-6FFFFFF0", start: start, duration: MediaTime(milliseconds: 59_993))
        range.className = "com.example.ad"
        range.cues = [.before, .once]
        range.end = start + MediaTime(milliseconds: 59_993)
        range.plannedDuration = MediaTime(seconds: 60)
        range.spliceCommand = [0xFC, 0x00]
        range.spliceOut = [0xFC, 0x2F]
        range.spliceIn = [0xFC, 0xAB]
        range.custom = [
            DateRange.CustomAttribute(name: "X-COM-AD-ID", value: .string("XYZ123")),
            DateRange.CustomAttribute(name: "X-BITS", value: .hexadecimal([0xAF])),
            DateRange.CustomAttribute(name: "X-OFFSET", value: .number("-1.25")),
        ]
        return range
    }()

    private static func playlist(_ ranges: [DateRange], trailing: [DateRange] = []) -> MediaPlaylist {
        var playlist = MediaPlaylist(
            targetDuration: 4,
            mediaSequence: MediaSequenceNumber(7),
            segments: [
                MediaPlaylist.Segment(
                    uri: "7.m4s",
                    duration: SegmentDuration(value: 4_000_000, timescale: 1_000_000),
                    programDateTime: start
                )
            ],
            dateRanges: trailing
        )
        playlist.segments[0].dateRanges = ranges
        return playlist
    }

    @Test(arguments: [
        (#"CLASS="com.apple.hls.interstitial",X-ASSET-LIST="ads/1.json?a=b""#, true),
        (#"CLASS="com.apple.hls.interstitial",X-ASSET-LIST="https://a/1.json""#, false),
        (#"CLASS="com.apple.hls.interstitial",X-ASSET-URI="/ads/1.m3u8""#, false),
        (#"CLASS="com.apple.hls.preload",X-URI="ads/1.json""#, true),
        (#"CLASS="com.example.show",X-URI="1.json",X-COM-EXAMPLE="ads/1.json""#, false),
        (#"DURATION=4.000,X-ASSET-LIST="ads/1.json""#, true),
    ])
    func relativeAssetsOfARangeMove(text: String, isRelative: Bool) throws {
        let text = #"ID="1","# + text
        var range = try #require(DateRange(text: text))
        var lines = DateRangeLines(above: [DateRange(id: "0"), range], below: [range])
        #expect(range.hasRelativeAsset == isRelative)
        range.moveDown(by: "../../")
        #expect(range.text == (isRelative ? text.replacing("\"ads/", with: "\"../../ads/") : text))
        lines.moveDown(by: "../../")
        #expect(lines == DateRangeLines(above: [DateRange(id: "0"), range], below: [range]))
    }

    @Test func everyAttributeIsWritten() {
        let text = Self.playlist([Self.all], trailing: [DateRange(id: "later")]).render()
        #expect(
            text == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:7
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-DATERANGE:ID="splice-6FFFFFF0",CLASS="com.example.ad",START-DATE="1970-01-01T00:00:28.000Z",\
                CUE="PRE,ONCE",END-DATE="1970-01-01T00:01:27.993Z",DURATION=59.993,PLANNED-DURATION=60.000,\
                X-COM-AD-ID="XYZ123",X-BITS=0xAF,X-OFFSET=-1.25,SCTE35-CMD=0xFC00,SCTE35-OUT=0xFC2F,SCTE35-IN=0xFCAB
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:28.000Z
                #EXTINF:4.000000,
                7.m4s
                #EXT-X-DATERANGE:ID="later"

                """
        )
    }

    @Test func whatIsWrittenIsRead() throws {
        var onNext = DateRange(id: "next", start: Self.start)
        onNext.className = "chapter"
        onNext.endsOnNext = true
        let playlist = Self.playlist([Self.all, onNext], trailing: [DateRange(id: "later")])
        #expect(try MediaPlaylist(parsing: playlist.render()) == playlist)
        #expect(onNext.text.hasSuffix(#"END-ON-NEXT=YES"#))
    }

    @Test(arguments: [
        #"START-DATE="1970-01-01T00:00:28.000Z""#,
        #"ID=plain"#,
        #"ID="a",START-DATE="yesterday""#,
        #"ID="a",START-DATE="1970-01-01T00:00:28.000""#,
        #"ID="a",DURATION=-1"#,
        #"ID="a",DURATION="1""#,
        #"ID="a",END-ON-NEXT=NO"#,
        #"ID="a",CUE="SOON""#,
        #"ID="a",X-COM=word"#,
        #"ID="a",SCTE35-OUT=FC"#,
        #"ID="a",SCTE35-OUT=0xFC0"#,
        #"ID="a",ID="b""#,
    ])
    func whatIsMalformedIsRefused(attributes: String) {
        let text = Self.playlist([]).render() + "#EXT-X-DATERANGE:\(attributes)\n"
        #expect(throws: PlaylistParsingError.self) { try MediaPlaylist(parsing: text) }
    }

    /// An attribute that nobody knows is passed over, and digits of either case are read (§ 4.2).
    @Test func whatIsUnknownIsPassedOver() {
        let range = DateRange(text: #"ID="a",NOVELTY=1,SCTE35-IN=0xfcAb"#)
        #expect(range?.spliceIn == [0xFC, 0xAB])
    }

    @Test(arguments: [
        ([#"ID="a""#], DateRangeProblem.Reason.startMissing),
        ([#"ID="a",START-DATE="2026-01-01T00:00:01Z",END-DATE="2026-01-01T00:00:00Z""#], .endsBeforeStart),
        (
            [#"ID="a",START-DATE="2026-01-01T00:00:01Z",END-DATE="2026-01-01T00:00:02Z",DURATION=2"#],
            .lengthContradicted
        ),
        ([#"ID="a",START-DATE="2026-01-01T00:00:01Z",END-ON-NEXT=YES"#], .endOnNextWithoutClass),
        ([#"ID="a",CLASS="c",START-DATE="2026-01-01T00:00:01Z",END-ON-NEXT=YES,DURATION=1"#], .endOnNextWithEnd),
        ([#"ID="a",START-DATE="2026-01-01T00:00:01Z",CUE="PRE,POST""#], .cueContradicted),
        ([#"ID="a",START-DATE="2026-01-01T00:00:01Z",DURATION=1"#, #"ID="a",DURATION=2"#], .altered),
        ([#"ID="a",START-DATE="2026-01-01T00:00:01Z""#, #"ID="a",START-DATE="2026-01-01T00:00:02Z""#], .altered),
        (
            [
                #"ID="a",CLASS="c",START-DATE="2026-01-01T00:00:01Z",DURATION=5"#,
                #"ID="b",CLASS="c",START-DATE="2026-01-01T00:00:02Z",END-ON-NEXT=YES"#,
            ],
            .overlaps
        ),
    ])
    func whatBreaksARuleIsNamed(tags: [String], reason: DateRangeProblem.Reason) {
        #expect(tags.compactMap { DateRange(text: $0) }.problems.map(\.reason) == [reason])
    }

    @Test func whatKeepsToTheRulesIsLeftAlone() {
        let tags = [
            #"ID="a",START-DATE="2026-01-01T00:00:01Z",PLANNED-DURATION=30,SCTE35-OUT=0xFC"#,
            #"ID="a",START-DATE="2026-01-01T00:00:01.000Z",DURATION=29.5,SCTE35-IN=0xFD"#,
            #"ID="b",CLASS="c",START-DATE="2026-01-01T00:00:01Z",DURATION=1"#,
            #"ID="d",CLASS="c",START-DATE="2026-01-01T00:00:02Z",END-ON-NEXT=YES"#,
        ]
        #expect(tags.compactMap { DateRange(text: $0) }.problems.isEmpty)
    }

    /// A range goes when it is over for the oldest segment; one that nobody has ended stays.
    @Test func rangesAreListedForAsLongAsTheyLast() {
        var tags = [DateRange(id: "open", start: Self.start), DateRange(id: "closed", start: Self.start)]
        tags.append(DateRange(id: "closed", duration: MediaTime(seconds: 10)))
        #expect(tags.reaching(Self.start + MediaTime(seconds: 10)) == tags)
        #expect(tags.reaching(Self.start + MediaTime(seconds: 11)).map(\.id) == ["open"])
        let end = [DateRange(id: "open", duration: MediaTime(seconds: 12))].map { tag in
            var tag = tag
            tag.start = Self.start
            return tag
        }
        #expect(tags.reaching(Self.start + MediaTime(seconds: 13), besides: end).isEmpty)
    }

    private static let interstitial = #"ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:01Z""#
    private static let preload = #"ID="p",CLASS="com.apple.hls.preload",START-DATE="2026-01-01T00:00:01Z""#

    /// RFC 8216bis § D.2, § D.3 and Appendix F.
    @Test(arguments: [
        ("", DateRangeProblem.Reason.assetAmbiguous),
        (#",X-ASSET-URI="https://a/b.m3u8",X-ASSET-LIST="l.json""#, .assetAmbiguous),
        (#",X-ASSET-URI="b.m3u8""#, .unexpected(attribute: "X-ASSET-URI", expected: "an absolute URI")),
        (#",X-ASSET-LIST=7"#, .unexpected(attribute: "X-ASSET-LIST", expected: "a URI")),
        (
            #",X-ASSET-LIST="l",X-RESUME-OFFSET="0""#,
            .unexpected(attribute: "X-RESUME-OFFSET", expected: "a number of seconds")
        ),
        (
            #",X-ASSET-LIST="l",X-PLAYOUT-LIMIT=-1"#,
            .unexpected(attribute: "X-PLAYOUT-LIMIT", expected: "a number of seconds that is not negative")
        ),
        (#",X-ASSET-LIST="l",X-SNAP="OUT IN""#, .unexpected(attribute: "X-SNAP", expected: "a list of OUT and IN")),
        (
            #",X-ASSET-LIST="l",X-RESTRICT="SKIP,skip""#,
            .unexpected(attribute: "X-RESTRICT", expected: "a list of SKIP and JUMP")
        ),
        (
            #",X-ASSET-LIST="l",X-CONTENT-MAY-VARY="no""#,
            .unexpected(attribute: "X-CONTENT-MAY-VARY", expected: "YES or NO")
        ),
        (
            #",X-ASSET-LIST="l",X-TIMELINE-OCCUPIES="LINE""#,
            .unexpected(attribute: "X-TIMELINE-OCCUPIES", expected: "POINT or RANGE")
        ),
        (
            #",X-ASSET-LIST="l",X-TIMELINE-STYLE="PLAIN""#,
            .unexpected(attribute: "X-TIMELINE-STYLE", expected: "HIGHLIGHT or PRIMARY")
        ),
        (
            #",X-ASSET-LIST="l",X-SKIP-CONTROL-OFFSET=1.5"#,
            .unexpected(attribute: "X-SKIP-CONTROL-OFFSET", expected: "a whole number of seconds")
        ),
        (
            #",X-ASSET-LIST="l",X-SKIP-CONTROL-LABEL-ID="go on""#,
            .unexpected(attribute: "X-SKIP-CONTROL-LABEL-ID", expected: "a name of letters, '-' and '_'")
        ),
    ])
    func whatNoInterstitialMaySayIsNamed(attributes: String, reason: DateRangeProblem.Reason) {
        let problems = [DateRange(text: Self.interstitial + attributes)].compactMap(\.self).problems
        #expect(problems.map(\.reason) == [reason], "\(problems)")
    }

    @Test(arguments: [
        (#",DURATION=5,X-TARGET-ID="a",X-TARGET-CLASS="c""#, #"X-URI is not there as a quoted string"#),
        (#",X-URI="l",X-TARGET-ID="a",X-TARGET-CLASS="c""#, "a preload range needs DURATION or END-DATE"),
        (#",DURATION=5,CUE="ONCE",X-URI="l",X-TARGET-ID="a",X-TARGET-CLASS="c""#, "neither CUE nor END-ON-NEXT"),
        (#",DURATION=5,X-URI="l",X-TARGET-ID="a",X-TARGET-CLASS="d""#, "is of another class than X-TARGET-CLASS"),
    ])
    func whatNoPreloadRangeMaySayIsNamed(attributes: String, problem: String) {
        let target = #"ID="a",CLASS="c",START-DATE="2026-01-01T00:00:06Z""#
        let problems = [target, Self.preload + attributes].compactMap { DateRange(text: $0) }.problems
        #expect(problems.count == 1 && problems[0].description.contains(problem), "\(problems)")
    }

    /// Attributes of a later tag belong to the range, too.
    @Test func anInterstitialMayBeToldInParts() {
        let tags = [
            Self.interstitial, #"ID="a",X-ASSET-LIST="l.json",X-SNAP="OUT""#,
            #"ID="a",DURATION=5,X-PLAYOUT-LIMIT=5,X-RESUME-OFFSET=-1.5"#,
        ]
        #expect(tags.compactMap { DateRange(text: $0) }.problems.isEmpty)
    }
}
