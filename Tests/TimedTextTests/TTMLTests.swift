import MediaCore
import Testing

@testable import TimedText

/// TTML in, IMSC 1 out.
@Suite struct TTMLTests {
    private static let live = """
        <?xml version="1.0" encoding="UTF-8"?>
        <tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"
            xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="media" ttp:frameRate="25" ttp:tickRate="10000"
            xml:lang="de">
          <tt:head>
            <tt:styling>
              <tt:style xml:id="yellow" tts:color="#FFFF00FF" tts:backgroundColor="black"/>
              <tt:style xml:id="loud" style="yellow" tts:fontWeight="bold"/>
            </tt:styling>
            <tt:layout>
              <tt:region xml:id="top" tts:displayAlign="before"/>
              <tt:region xml:id="bottom" tts:displayAlign="after" tts:textAlign="center"/>
            </tt:layout>
          </tt:head>
          <tt:body><tt:div begin="10s">
            <tt:p xml:id="s1" region="bottom" begin="00:00:01.500" end="00:00:03">
              <tt:span style="yellow">Guten
                Abend &amp; hallo</tt:span><tt:br/>
              <tt:span>zusammen</tt:span>
            </tt:p>
            <tt:p region="top" style="loud" begin="00:00:04:05" dur="20000t" tts:textAlign="left">Halt!</tt:p>
            <tt:p begin="1h" end="2h"/>
            <tt:p begin="5s">ohne Ende</tt:p>
            <tt:p begin="bald" end="7s">wann?</tt:p>
            <tt:p begin="20s" end="30s"><tt:span begin="1s" end="2s">Wort</tt:span> <tt:span begin="2s" end="4s">f&#252;r
            Wort</tt:span></tt:p>
          </tt:div></tt:body>
        </tt:tt>
        """

    @Test func whatLiveEncodersWriteIsRead() throws {
        let document = try TimedTextDocument(parsing: Array(Self.live.utf8))
        #expect(
            document.cues == [
                try WebVTTTests.cue(11_500, 13_000, "<c.yellow>Guten Abend &amp; hallo</c>\nzusammen"),
                try WebVTTTests.cue(14_200, 16_200, "<b><c.yellow>Halt!</c></b>", settings: "line:0 align:left"),
                try WebVTTTests.cue(31_000, 32_000, "Wort"), try WebVTTTests.cue(32_000, 34_000, "für Wort"),
            ]
        )
        #expect(
            document.problems == [
                "line 23: nothing says when it ends", "line 24: its times cannot be read: p",
            ]
        )
    }

    /// The edge of the region that the text is at decides (TTML1 § 8.2.7, § 8.2.14).
    @Test(arguments: [
        (#"tts:origin="10% 80%" tts:extent="80% 15%" tts:displayAlign="before""#, ""),
        (#"tts:origin="10% 5%" tts:extent="80% 15%" tts:displayAlign="after""#, "line:0"),
        (#"tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="after""#, ""),
        (#"tts:origin="10% 5%" tts:extent="80% 15%""#, "line:0"),
        (#"tts:origin="10% 10%" tts:extent="80% 80%""#, "line:0"),
        (#"tts:origin="0% 40%" tts:extent="100% 60%" style="before""#, "line:0"),
        (#"style="low" tts:displayAlign="before""#, ""),
        (#"tts:origin="64px 400px" tts:extent="80% 15%" tts:displayAlign="before""#, "line:0"),
        (#"tts:displayAlign="before""#, "line:0"),
    ])
    func aRegionIsWhereItsTextIs(attributes: String, settings: String) throws {
        let names = #"xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling""#
        let styles =
            #"<styling><style xml:id="before" tts:displayAlign="before"/>"#
            + #"<style xml:id="low" tts:origin="10% 80%" tts:extent="80% 15%"/></styling>"#
        let head = #"<head>\#(styles)<layout><region xml:id="r" \#(attributes)/></layout></head>"#
        let text = #"<tt \#(names)>\#(head)<body><div><p region="r" begin="1s" end="2s">a</p></div></body></tt>"#
        let document = try TimedTextDocument(parsing: Array(text.utf8))
        #expect(document.cues.map(\.content.settings) == [settings])
    }

    /// TTML1 § 6.2.10: a tick is a second, unless the document says how long frames or ticks are.
    @Test(arguments: [("", 5_000), (#" ttp:frameRate="25""#, 200), (#" ttp:frameRate="25" ttp:tickRate="10""#, 500)])
    func ticksHaveTheirDefault(rates: String, start: Int64) throws {
        let head = #"<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"\#(rates)>"#
        let text = "\(head)<body><div><p begin=\"5t\" end=\"8t\">a</p></div></body></tt>"
        #expect(try TimedTextDocument(parsing: Array(text.utf8)).cues.first?.start == MediaTime(milliseconds: start))
    }

    /// Neither entities nor what is elsewhere.
    @Test(arguments: [
        "<!DOCTYPE tt [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><tt><body><div><p>&b;</p></div></body></tt>",
        "<!DOCTYPE tt SYSTEM \"file:///etc/passwd\"><tt/>", "<tt>&unknown;</tt>", "<tt><?x?></tt>", "<html/>",
        "<?x?><?xml version=\"1.0\"?><tt/>",
        "<tt><body>",
        "<tt ttp:timeBase=\"smpte\" xmlns:ttp=\"http://www.w3.org/ns/ttml#parameter\"/>",
        String(repeating: "<tt>", count: 40),
    ])
    func whatIsNoTTMLOrGrowsIsRefused(text: String) {
        #expect(throws: TimedTextError.self) { try TimedTextDocument(parsing: Array(text.utf8)) }
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?><tt/>"
        #expect(try TimedTextDocument(parsing: Array(text.utf8)).cues.isEmpty)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let cues = [
            try WebVTTTests.cue(
                1_742_400_000_000,
                1_742_400_002_500,
                "<c.yellow>Guten <i>Abend</i></c> &amp; &#252;ber\nR &lt; D",
                settings: "line:0 align:start"
            ),
            try WebVTTTests.cue(1_742_400_003_000, 1_742_400_004_000, "<v Anna>ohne <b>alles"),
        ]
        let text = IMSC1Document(language: "de", cues: cues).render()
        let again = try TimedTextDocument(parsing: Array(text.utf8))
        #expect(again.problems.isEmpty)
        #expect(
            again.cues == [
                try WebVTTTests.cue(
                    1_742_400_000_000,
                    1_742_400_002_500,
                    "<c.yellow>Guten </c><i><c.yellow>Abend</c></i> &amp; über\nR &lt; D",
                    settings: "line:0 align:start"
                ),
                try WebVTTTests.cue(1_742_400_003_000, 1_742_400_004_000, "ohne <b>alles</b>"),
            ]
        )
        let empty = IMSC1Document(language: nil, cues: []).render()
        #expect(try TimedTextDocument(parsing: Array(empty.utf8)).cues.isEmpty)
    }

    @Test(arguments: [
        ("&amp&lt;&#x41;&#66;&nope;", "&amp<AB&nope;"), ("a<b.red.c>c</b>d", "acd"), ("<00:00:01.000>now<", "now"),
        ("<i><b>x</i>y", "xy"),
    ])
    func cueTextIsReadByItsRules(text: String, plain: String) {
        #expect(CueText(parsing: text).lines.map { $0.map(\.text).joined() } == [plain])
    }

    private static func cues(_ body: String, space: String = "default") throws -> TimedTextDocument {
        let text =
            "<tt xmlns=\"http://www.w3.org/ns/ttml\" xml:space=\"\(space)\" "
            + "xmlns:tts=\"http://www.w3.org/ns/ttml#styling\"><body>\(body)</body></tt>"
        return try TimedTextDocument(parsing: Array(text.utf8))
    }

    @Test func whatIsWithinInheritsWhetherBlanksAreKept() throws {
        let paragraphs = """
            <p begin="1s" end="2s">a  b
            c</p><p begin="3s" end="4s" xml:space="default">a  b
            c<span xml:space="preserve">  d</span></p>
            """
        #expect(
            try Self.cues("<div>\(paragraphs)</div>", space: "preserve").cues == [
                WebVTTTests.cue(1_000, 2_000, "a  b\nc"), WebVTTTests.cue(3_000, 4_000, "a b c  d"),
            ]
        )
        #expect(
            try Self.cues("<div xml:space=\"default\">\(paragraphs)</div>", space: "preserve").cues.first?.content.text
                == "a b c"
        )
    }

    @Test func textBesideTimedSpansIsThereForAllOfItsParagraph() throws {
        let document = try Self.cues(
            """
            <div><p begin="10s" end="20s">Anna:<br/><span begin="2s" end="5s">Hello</span>
              <span begin="4s"><span end="3s">you</span> there</span><span begin="4s" end="3s">never</span></p></div>
            """
        )
        #expect(
            document.cues == [
                try WebVTTTests.cue(10_000, 12_000, "Anna:"), try WebVTTTests.cue(12_000, 14_000, "Anna:\nHello"),
                try WebVTTTests.cue(14_000, 15_000, "Anna:\nHello you there"),
                try WebVTTTests.cue(15_000, 17_000, "Anna:\nyou there"),
                try WebVTTTests.cue(17_000, 20_000, "Anna:\nthere"),
            ]
        )
        #expect(document.problems == ["line 2: it ends before it starts"])
    }

    @Test func aSpanMayEndWhereItsParagraphDoesNot() throws {
        let ended = try Self.cues(
            "<div><p begin=\"1s\"> <span end=\"2s\">a</span> <span begin=\"2s\" dur=\"1s\">b</span></p></div>"
        )
        #expect(ended.cues == [try WebVTTTests.cue(1_000, 3_000, "a"), try WebVTTTests.cue(3_000, 4_000, "b")])
        #expect(ended.problems.isEmpty)
        let endless = try Self.cues("<div><p begin=\"1s\">a<span end=\"2s\">b</span></p></div>")
        #expect(endless.cues == [try WebVTTTests.cue(1_000, 3_000, "ab")])
        #expect(endless.problems == ["line 1: nothing says when it ends"])
    }

    @Test func textBesideASpanLooksLikeItsParagraph() throws {
        let document = try Self.cues(
            "<div><p begin=\"0s\" end=\"1s\" tts:color=\"yellow\">a <span tts:fontStyle=\"italic\">b</span> c</p></div>"
        )
        #expect(document.cues.map(\.content.text) == ["<c.yellow>a </c><i><c.yellow>b</c></i><c.yellow> c</c>"])
    }

    /// Styles that each refer to another forty times would be forty to the eighth power, and those in a circle no end.
    @Test(.timeLimit(.minutes(1))) func stylesThatReferToManyAreLookedIntoOnce() throws {
        var styles = "<style xml:id=\"s0\" tts:color=\"yellow\" tts:fontStyle=\"italic\"/>"
        for number in 1...8 {
            let references = String(repeating: "s\(number - 1) ", count: 40)
            styles += "<style xml:id=\"s\(number)\" style=\"\(references)\"/>"
        }
        let circle = String(repeating: "a b ", count: 40)
        styles += "<style xml:id=\"a\" style=\"\(circle)\" tts:fontWeight=\"bold\" tts:color=\"white\"/>"
        styles += "<style xml:id=\"b\" style=\"\(circle)\" tts:fontStyle=\"normal\"/>"
        let text =
            "<tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:tts=\"http://www.w3.org/ns/ttml#styling\"><head>\(styles)</head>"
            + "<body><div><p style=\"s8\" end=\"1s\">many</p><p style=\"s8 b\" begin=\"1s\" end=\"2s\">round</p></div></body></tt>"
        let document = try TimedTextDocument(parsing: Array(text.utf8))
        #expect(document.cues.map(\.content.text) == ["<i><c.yellow>many</c></i>", "<b>round</b>"])
    }

    /// All of a paragraph's text is looked at for each of its moments: one that would take minutes is left out.
    @Test func aParagraphOfTooManyMomentsIsLeftOut() throws {
        let spans = (0..<1_000).map { "<span begin=\"\($0)s\" dur=\"1s\">\($0)</span>" }
        let few = try Self.cues("<div><p begin=\"0s\" end=\"900s\">\(spans.prefix(100).joined())</p></div>")
        #expect(few.cues.count == 100 && few.problems.isEmpty)
        let document = try Self.cues(
            "<div><p begin=\"0s\" end=\"9000s\">\(spans.joined())</p><p end=\"1s\">next</p></div>"
        )
        #expect(document.cues.map(\.content.text) == ["next"] && document.problems.count == 1)
    }
}
