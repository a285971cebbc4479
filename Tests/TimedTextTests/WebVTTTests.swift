import MediaCore
import Testing

@testable import TimedText

/// WebVTT in and out.
@Suite struct WebVTTTests {
    static func cue(
        _ start: Int64,
        _ end: Int64,
        _ text: String,
        settings: String = "",
        blocks: [String] = []
    ) throws
        -> TimedCue
    {
        TimedCue(
            start: MediaTime(milliseconds: start),
            end: MediaTime(milliseconds: end),
            content: try #require(CueContent(text: text, settings: settings, blocks: blocks))
        )
    }

    @Test func whatIsMalformedIsLeftOutAndTheRestIsThere() throws {
        let text = """
            \u{FEFF}WEBVTT - a title
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0

            STYLE
            ::cue(.shout) { color: red }

            REGION
            id:fred
            lines:3

            NOTE spoken by
            nobody

            1
            00:01.000 --> 00:02.500 line:0  align:start
            <i>One</i> &amp; two
            three

            no arrow here

            00:00:03.000 --> 00:00:02.000
            backwards

            00:00:99.000 --> 00:01:00.000
            no such second

            100:00:00.000 --> 100:00:01.250
            late
            102:00:00.000 --> 102:00:01.000
            without an empty line
            """
        for terminator in ["\n", "\r\n", "\r"] {
            let bytes = Array(text.replacing("\n", with: terminator).utf8)
            let document = try TimedTextDocument(parsing: bytes)
            let blocks = ["STYLE\n::cue(.shout) { color: red }", "REGION\nid:fred\nlines:3"]
            #expect(
                document.cues == [
                    try Self.cue(
                        1000,
                        2500,
                        "<i>One</i> &amp; two\nthree",
                        settings: "line:0 align:start",
                        blocks: blocks
                    ),
                    try Self.cue(360_000_000, 360_001_250, "late", blocks: blocks),
                    try Self.cue(367_200_000, 367_201_000, "without an empty line", blocks: blocks),
                ]
            )
            #expect(
                document.problems == [
                    "line 19: \"no arrow here\" begins nothing that WebVTT has", "line 21: a cue ends before it starts",
                    "line 24: the times of a cue cannot be read",
                ]
            )
        }
    }

    @Test(arguments: ["", "WEBVTTX\n\n", "1\n00:01.000 --> 00:02.000\nx\n", "{}"])
    func whatIsNoWebVTTIsRefused(text: String) {
        #expect(throws: TimedTextError.self) { try TimedTextDocument(parsing: Array(text.utf8)) }
    }

    @Test func theLastBlockOfADocumentThatGrowsIsLeftForLater() throws {
        let text = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:03.000 --> 00:04.000\ntw"
        #expect(try TimedTextDocument(parsing: Array(text.utf8), isGrowing: true).cues.map(\.content.text) == ["one"])
        #expect(try TimedTextDocument(parsing: Array(text.utf8)).cues.map(\.content.text) == ["one", "tw"])
        // Also if it ends with its line, behind which the next line of the cue may come.
        for end in ["o\n", "o\r\n", "o\nthree", "o\n\n2\n", "o\n\n00:05.000 --> 00:06.000\n"] {
            let document = try TimedTextDocument(parsing: Array((text + end).utf8), isGrowing: true)
            #expect(document.cues.map(\.content.text) == (end.contains("\n\n") ? ["one", "two"] : ["one"]))
            #expect(document.problems.isEmpty)
        }
        let whole = text + "o\n\n"
        let cues = try TimedTextDocument(parsing: Array(whole.utf8), isGrowing: true).cues
        #expect(cues.map(\.content.text) == ["one", "two"])
    }

    @Test func aSegmentHasItsMapItsDefinitionsAndItsCues() throws {
        let wrap = Timestamps.transportStreamModulus
        let style = "STYLE\n::cue { color: lime }"
        let segment = WebVTTSegment(
            mediaOrigin: MediaTime(ticks: wrap * 7 + 900_000),
            container: .ts,
            cues: [
                try Self.cue(3_601_500, 3_603_000, "Hello", settings: "line:0", blocks: [style]),
                try Self.cue(3_602_000, 3_604_040, "two\nlines", blocks: [style]),
            ]
        )
        #expect(
            segment.render() == """
                WEBVTT
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

                STYLE
                ::cue { color: lime }

                01:00:01.500 --> 01:00:03.000 line:0
                Hello

                01:00:02.000 --> 01:00:04.040
                two
                lines

                """
        )
        let again = try TimedTextDocument(parsing: Array(segment.render().utf8))
        #expect(again.cues == segment.cues && again.problems.isEmpty)
        let empty = WebVTTSegment(mediaOrigin: .zero, container: .ts, cues: [])
        #expect(empty.render() == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n")
    }

    /// Decode times of fragmented MP4 count from 1970 and do not wrap.
    ///
    /// Shaka Player compares MPEGTS with them as it is.
    @Test func aMapBesideFragmentedMP4DoesNotWrap() {
        let ticks = Timestamps.transportStreamModulus * 18_811 + 900_000
        let segment = WebVTTSegment(mediaOrigin: MediaTime(ticks: ticks), container: .fmp4, cues: [])
        #expect(segment.render() == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n")
    }

    @Test func contentComesThroughItsBytes() throws {
        let contents = [
            CueContent(text: "a\n\n b", settings: " line:0\talign:start ", blocks: ["STYLE\nx", "REGION\ny"]),
            CueContent(text: "x"), CueContent(plain: "R&D --> <b>\u{338}"),
        ]
        for content in contents {
            let content = try #require(content)
            #expect(CueContent(bytes: content.bytes) == content)
        }
        #expect(contents[0]?.bytes == "STYLE\nx\n\nREGION\ny\n\nline:0 align:start\na\n b")
        #expect(contents[2]?.text == "R&amp;D --&gt; &lt;b&gt;\u{338}")
    }

    @Test(arguments: ["", " \n\t", "a --> b", "a -->\u{338}", String(repeating: "a", count: 70_000)])
    func whatWouldBreakASegmentIsNoContent(text: String) { #expect(CueContent(text: text) == nil) }
}

/// Text as libavcodec's decoders hand it over.
@Suite struct SubStationAlphaTests {
    @Test(
        arguments: [
            (["Hello {\\i1}there{\\i0} & <you>"], "Hello <i>there</i> &amp; &lt;you&gt;", ""),
            (["{\\an8}above\\Nbelow"], "above\nbelow", "line:0"), (["{\\an1}left"], "left", "align:start"),
            (["{\\an6}right"], "right", "line:50% align:end"), (["one", "two"], "one\ntwo", ""),
            (["{\\c&H00FFFF&}yellow{\\c&HFFFFFF&} white"], "<c.yellow>yellow</c> white", ""),
            (["{\\b1\\u1}both{\\r} none"], "<u><b>both</b></u> none", ""), (["a --> b"], "a --&gt; b", ""),
            (["{never closed"], nil, ""), ([""], nil, ""), ([], nil, ""),
            (["{\\i1}a {\\i0} b\u{3000}c"], "<i>a </i>b\u{3000}c", ""), (["a\\"], "a\\", ""),
            (["\\{sigh\\} C:\\\\x"], "{sigh} C:\\x", ""),
        ] as [([String], String?, String)]
    )
    func overrideTags(texts: [String], text: String?, settings: String) {
        let content = CueContent(assTexts: texts)
        #expect(content?.text == text)
        #expect(content?.settings ?? "" == settings)
    }

    @Test func pagesKeepWhereTheyAre() {
        let rows = { (row: Int) in
            (0..<24).map { $0 == row ? "\\h\\h\\htext\\h\\h" : " " }.joined(separator: "\\N")
        }
        #expect(CueContent(assTexts: [rows(20)], isPage: true)?.settings == "")
        let above = CueContent(assTexts: [rows(2)], isPage: true)
        #expect(above?.settings == "line:16%" && above?.text == "text")
        #expect(CueContent(assTexts: [rows(30)], isPage: true) == nil)
    }

    /// A page that suppresses its header comes from FFmpeg without most of the rows that have no text.
    @Test(arguments: [("{\\an2}", ""), ("{\\an1}", ""), ("{\\an5}", "line:50%"), ("{\\an8}", "line:0")])
    func pagesWithoutTheirRowsKeepTheirThird(tag: String, settings: String) {
        #expect(CueContent(assTexts: ["\(tag)text \\N \\N"], isPage: true)?.settings == settings)
    }
}

/// Services of which each page stays until the next one comes; times are ticks.
@Suite struct ScreenTextTests {
    private static func cue(_ text: String) -> CueContent? { CueContent(plain: text) }

    @Test func aPageStaysUntilTheNextOneComes() {
        var screen = ScreenText(modulus: nil)
        let (a, b) = (Self.cue("a"), Self.cue("b"))
        #expect(screen.show(a, at: 1_000).map(\.duration) == [nil])
        #expect(screen.show(a, at: 2_000).isEmpty)
        let cues = screen.show(b, at: 3_000)
        #expect(cues.map(\.content.text) == ["a", "b"] && cues.map(\.duration) == [2_000, nil])
        #expect(screen.show(nil, at: 4_000).map(\.duration) == [1_000])
        #expect(screen.show(nil, at: 5_000).isEmpty)
    }

    @Test func whatIsForgottenEnds() {
        var screen = ScreenText(modulus: 1 << 33)
        let late: Int64 = (1 << 33) - 90_000
        _ = screen.show(Self.cue("a"), at: late)
        #expect(screen.reached(90_000).isEmpty)
        #expect(screen.reached(60 * 90_000).map(\.duration) == [60 * 90_000])
        _ = screen.show(Self.cue("b"), at: 0, for: 1_000)
        #expect(screen.show(Self.cue("c"), at: 5_000).map(\.duration) == [1_000, nil])
    }
}
