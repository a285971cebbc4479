import MediaCore
import Testing
import TimedText

@testable import SubtitleSources

/// A document that grows while it is read.
@Suite struct SubtitleFeedTests {
    private static let now = MediaTime(seconds: 1_795_000_000)

    private static func text(_ feed: inout SubtitleFeed, _ text: String, after seconds: Int64 = 0) throws -> [String] {
        try feed.received(Array(text.utf8), now: now + MediaTime(seconds: seconds)).cues.map(\.content.text)
    }

    @Test func eachCueIsGivenOnceAndNoneInPart() throws {
        var feed = SubtitleFeed(origin: .utc(Self.now))
        let first = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n"
        #expect(try Self.text(&feed, first) == ["one"])
        #expect(try Self.text(&feed, first + "00:03.000 --> 00:04.000\nt") == [])
        #expect(try Self.text(&feed, first + "00:03.000 --> 00:04.000\ntwo") == [])
        #expect(try Self.text(&feed, first + "00:03.000 --> 00:04.000\ntwo") == ["two"], "nothing has come since")
        #expect(try Self.text(&feed, first + "00:03.000 --> 00:04.000\ntwo\n\n") == [])
    }

    @Test func aDocumentThatIsThereAlreadyIsGivenAsItIsDue() throws {
        var feed = SubtitleFeed(origin: .utc(Self.now))
        let text = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n05:00.000 --> 05:01.000\nlater\n\n"
        #expect(try Self.text(&feed, text) == ["one"])
        #expect(try Self.text(&feed, text, after: 250) == ["later"])
        #expect(try Self.text(&feed, text, after: 251) == [])
        #expect(try Self.text(&feed, text, after: 100_000) == [], "what is long over is not given again")
    }

    @Test func timesOfDayAreOfTheNearestDay() throws {
        // 11:06:40 of 18 November.
        for (time, distance) in [("11:06:41.000", 1_000), ("11:06:30.000", -10_000)] as [(String, Int64)] {
            var feed = SubtitleFeed(origin: .midnight)
            let end = "11:06:59.000"
            let document = Array("WEBVTT\n\n\(time) --> \(end)\nx\n\n".utf8)
            #expect(
                try feed.received(document, now: Self.now).cues.map(\.start) == [
                    Self.now + MediaTime(milliseconds: distance)
                ]
            )
        }
        var feed = SubtitleFeed(origin: .midnight)
        let midnight = MediaTime(seconds: 1_795_046_400)
        let document = Array("WEBVTT\n\n23:59:59.000 --> 24:00:01.000\na\n\n00:00:02.000 --> 00:00:03.000\nb\n\n".utf8)
        let cues = try feed.received(document, now: midnight - MediaTime(seconds: 1)).cues
        #expect(cues.map(\.start) == [-1, 2].map { midnight + MediaTime(seconds: $0) })
    }

    /// Each cue comes with the definitions of its document: thousands of short ones must not take gigabytes.
    @Test func aFloodOfCuesIsCut() throws {
        var feed = SubtitleFeed(origin: .utc(Self.now))
        let style = "STYLE\n/*\(String(repeating: "x", count: 16_000))*/"
        let cues = (0..<10_000).map { "00:01.000 --> 00:02.000\n\($0)\n\n" }.joined()
        let document = Array("WEBVTT\n\n\(style)\n\n\(cues)".utf8)
        let flood = try feed.received(document, now: Self.now)
        #expect(flood.cues.count > 7_200 && flood.problems.count == 1)
        #expect(flood.cues.reduce(0) { $0 + $1.content.byteCount } <= SubtitleFeed.mostBytes)
        let again = try feed.received(document, now: Self.now + MediaTime(seconds: 1))
        #expect(again.cues.isEmpty && again.problems.isEmpty)
        // What follows is shown once the flood is forgotten.
        #expect(try Self.text(&feed, "WEBVTT\n\n01:01:02.000 --> 01:01:04.000\nlater\n\n", after: 3_661) == ["later"])
    }

    @Test func aProblemIsSaidOnce() throws {
        var feed = SubtitleFeed(origin: .utc(Self.now))
        let broken = Array("WEBVTT\n\n00:02.000 --> 00:01.000\none\n\n".utf8)
        #expect(try feed.received(broken, now: Self.now).problems == ["line 3: a cue ends before it starts"])
        #expect(try feed.received(broken, now: Self.now).problems == [])
        #expect(throws: TimedTextError.self) { try feed.received(Array("<html/>".utf8), now: Self.now) }
    }
}
