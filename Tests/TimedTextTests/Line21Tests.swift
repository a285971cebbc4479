import MediaCore
import TestSupport
import Testing

@testable import TimedText

/// Captions of CEA-608; times are milliseconds.
@Suite struct Line21Tests {
    /// Codes of a channel, two bytes a picture of 40 ms, from a time on.
    private struct Driver {
        var reader: Line21Reader
        var time: Int64 = 0
        var field = CaptionTriplet.Kind.field1
        private(set) var cues: [FeedCue] = []

        init(channel: Int = 1) {
            reader = Line21Reader(channel: channel, modulus: nil)
            field = channel <= 2 ? .field1 : .field2
        }

        mutating func send(_ codes: [UInt8], hasParity: Bool = true) {
            for index in stride(from: 0, to: codes.count, by: 2) {
                let pair = [codes[index], index + 1 < codes.count ? codes[index + 1] : 0].map {
                    hasParity && $0.nonzeroBitCount % 2 == 0 ? $0 ^ 0x80 : $0
                }
                let triplet = CaptionTriplet(field, pair[0], pair[1])
                cues += reader.read([triplet], at: time * 90)
                time += 40
            }
        }

        /// A control code, which is sent twice.
        mutating func code(_ first: UInt8, _ second: UInt8) { send([first, second, first, second]) }

        mutating func text(_ text: String) { send(Array(text.utf8)) }

        mutating func wait(until time: Int64) {
            while self.time < time { send([0, 0]) }
        }

        /// The time when each cue came up, the time when it went (nil for an open one), and its text.
        var shown: [String] {
            var ends: [FeedCue: Int64] = [:]
            for cue in cues where cue.duration != nil {
                ends[FeedCue(start: cue.start, duration: nil, content: cue.content)] = cue.duration
            }
            return cues.filter { $0.duration == nil }.map { cue in
                let end = ends[cue].map { "\((cue.start + $0) / 90)" } ?? ""
                let settings = cue.content.settings.isEmpty ? "" : "[\(cue.content.settings)] "
                return "\(cue.start / 90)-\(end) \(settings)\(cue.content.text.replacing("\n", with: "|"))"
            }
        }
    }

    @Test func popOnCaptionsComeUpAsAWhole() {
        var driver = Driver()
        driver.code(0x14, 0x20)
        driver.code(0x14, 0x2E)
        driver.code(0x13, 0x70)  // row 13, column 0
        driver.text("FIRST ROW")
        driver.code(0x14, 0x70)  // row 15
        driver.text("SECOND")
        driver.wait(until: 1_000)
        driver.code(0x14, 0x2F)
        driver.wait(until: 2_000)
        driver.code(0x14, 0x2C)
        driver.wait(until: 3_000)
        #expect(driver.shown == ["1000-2000 [position:10%,line-left align:start] FIRST ROW|SECOND"])
    }

    @Test func captionsInTheMiddleAndAtTheBottomNeedNoSettings() {
        var driver = Driver()
        driver.code(0x14, 0x20)
        driver.code(0x14, 0x76)  // row 15, column 12
        driver.text("IN HERE")
        driver.code(0x14, 0x2F)
        #expect(driver.shown == ["320- IN HERE"])
    }

    @Test func whatStandsAboveStaysAbove() {
        var driver = Driver()
        driver.code(0x14, 0x20)
        driver.code(0x11, 0x56)  // row 1, column 12
        driver.text("ABOVE IT")
        driver.code(0x14, 0x2F)
        #expect(driver.shown == ["320- [line:10%] ABOVE IT"])
    }

    @Test func rowsRollUp() {
        var driver = Driver()
        driver.code(0x14, 0x25)
        driver.code(0x14, 0x2D)
        driver.code(0x14, 0x76)
        driver.text("ONE ROW.")
        driver.wait(until: 1_000)
        driver.code(0x14, 0x2D)
        driver.text("TWO ROWS")
        driver.wait(until: 2_000)
        driver.code(0x14, 0x2D)
        driver.text("THREE NOW")
        driver.wait(until: 3_000)
        driver.code(0x14, 0x2C)
        let texts = driver.shown.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(texts.first == "ONE ROW.")
        #expect(texts.contains { $0.hasSuffix("ONE ROW.|TWO ROWS") })
        #expect(texts.last?.hasSuffix("TWO ROWS|THREE NOW") == true)
        #expect(driver.shown.allSatisfy { !$0.contains("- ") })
        #expect(driver.shown.last?.contains("-3000 ") == true)
    }

    @Test func whatIsPaintedComesUpAsItIsWritten() {
        var driver = Driver()
        driver.code(0x14, 0x29)
        driver.code(0x14, 0x76)
        driver.text("PAINT")
        driver.wait(until: 1_200)
        driver.text("ED")
        driver.wait(until: 2_000)
        #expect(driver.shown.map { $0.split(separator: " ").last } == ["PAINT", "PAINTED"])
    }

    @Test func charactersOfOtherLanguages() {
        var driver = Driver()
        driver.code(0x14, 0x20)
        driver.code(0x14, 0x76)
        driver.send([0x2A, 0x7E])
        driver.code(0x11, 0x37)
        // Extended characters take the place of what older decoders show.
        driver.text("A")
        driver.code(0x13, 0x30)
        driver.text("U")
        driver.code(0x12, 0x24)
        driver.text("<&>")
        driver.code(0x14, 0x2F)
        #expect(driver.cues.first?.content.text == "áñ♪ÄÜ&lt;&amp;&gt;")
    }

    @Test func looksAreTags() {
        var driver = Driver()
        driver.code(0x14, 0x20)
        driver.code(0x14, 0x76)
        driver.text("A ")
        driver.code(0x11, 0x2E)  // italics
        driver.text("B")
        driver.code(0x11, 0x2A)  // yellow
        driver.text("C")
        driver.code(0x14, 0x2F)
        #expect(driver.cues.first?.content.text == "A  <i>B </i><c.yellow>C</c>")
    }

    @Test func channelsAndFieldsAreApart() {
        var (first, second) = (Driver(), Driver(channel: 2))
        second.field = .field1
        for pair in [
            [0x14, 0x20], [0x14, 0x76], [0x41, 0x41], [0x1C, 0x20], [0x1C, 0x76], [0x42, 0x42], [0x1C, 0x2F],
            [0x14, 0x2F],
        ] as [[UInt8]] {
            first.send(pair)
            second.send(pair)
        }
        #expect(first.cues.map(\.content.text) == ["AA"])
        #expect(second.cues.map(\.content.text) == ["BB"])
        var third = Driver(channel: 3)
        third.field = .field1
        third.code(0x14, 0x29)
        third.text("FIELD 1")
        third.wait(until: 2_000)
        #expect(third.cues.isEmpty)
    }

    @Test func textAndExtendedDataAreNoCaptions() {
        var driver = Driver(channel: 3)
        driver.code(0x15, 0x29)
        driver.code(0x14, 0x76)
        driver.send([0x01, 0x03])
        driver.text("TITLE")
        driver.code(0x15, 0x2B)
        driver.text("TEXT")
        driver.wait(until: 2_000)
        #expect(driver.cues.isEmpty)
    }

    @Test func whatLacksParityIsNoCode() {
        var driver = Driver()
        driver.code(0x14, 0x29)
        driver.send([0x14, 0x2C], hasParity: false)
        driver.text("A")
        driver.send([0x41 ^ 0x80, 0x42 ^ 0x80], hasParity: false)
        driver.wait(until: 1_000)
        #expect(driver.cues.last?.content.text.contains("A") == true)
    }

    @Test(arguments: 0..<20)
    func anyBytesMakeCuesInOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var readers = (1...4).map { Line21Reader(channel: $0, modulus: Timestamps.transportStreamModulus) }
        for picture in 0..<2_000 as Range<Int64> {
            let code = UInt8.random(in: 0...255, using: &generator)
            let first = code & 1 == 0 ? code : [0x94, 0x91, 0x13, 0x15, 0x97][Int(code) % 5]
            let kind: CaptionTriplet.Kind = Bool.random(using: &generator) ? .field1 : .field2
            let triplet = CaptionTriplet(kind, first, UInt8.random(in: 0...255, using: &generator))
            for index in readers.indices {
                for cue in readers[index].read([triplet], at: picture * 3_600) {
                    #expect(cue.start <= picture * 3_600 && cue.duration.map { $0 > 0 } ?? true)
                }
            }
        }
    }
}
