import MediaCore
import NIOCore
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// Cues on slots of four seconds; times are milliseconds from the epoch on.
@Suite struct TextCutterTests {
    private struct Driver {
        var cutter = TextCutter(.imsc1)
        var utcOffset = MediaTime.zero

        mutating func cue(_ text: String, _ start: Int64, _ end: Int64? = nil) {
            let time = Epoch.at(start)
            let sample = Sample(
                decodeTime: time,
                presentationTime: time,
                isSync: true,
                cueDuration: end.map { Epoch.at($0) - time },
                payload: ByteBuffer(string: text)
            )
            cutter.received(sample, configuration: .text(.imsc1))
        }

        /// Cuts a slot, and returns its cues: nil for a gap.
        mutating func cut(_ number: Int64, _ range: Range<Int64>? = nil, isAlive: Bool = true) -> [String]? {
            let range = range ?? number * 4_000..<number * 4_000 + 4_000
            if isAlive { cutter.inputReached(Epoch.at(range.upperBound)) }
            let slot = SlotBoundaries(
                number: Epoch.slot.advanced(by: number),
                start: Epoch.at(range.lowerBound),
                end: Epoch.at(range.upperBound)
            )
            let cut = cutter.cut(slot, utcOffset: utcOffset)
            #expect(cut.isGap == (cut.cues == nil) && cut.isWhole != cut.isGap)
            return cut.cues?.map { String(buffer: $0.payload) }
        }
    }

    @Test func aCueIsInEachSlotThatItOverlaps() {
        var driver = Driver()
        driver.cue("inside", 1_000, 2_000)
        driver.cue("spanning", 3_000, 5_000)
        driver.cue("up to the edge", 4_000, 8_000)
        driver.cue("three", 7_000, 12_002)
        #expect(driver.cut(0) == ["inside", "spanning"])
        #expect(driver.cut(1) == ["spanning", "up to the edge", "three"])
        #expect(driver.cut(2) == ["three"])
        #expect(driver.cut(3) == ["three"])
        #expect(driver.cut(4) == [])
        #expect(driver.cutter.cues.isEmpty)
    }

    /// The backup's segment of text is better, which has the cues after the loss.
    @Test func aSegmentOfAnInputThatDiedWithinItIsPartial() {
        var driver = Driver()
        driver.cue("before", 4_200, 4_400)
        driver.cutter.inputReached(Epoch.at(4_500))
        let slot = SlotBoundaries(number: Epoch.slot.next, start: Epoch.at(4_000), end: Epoch.at(8_000))
        let cut = driver.cutter.cut(slot, utcOffset: .zero)
        #expect(cut.cues?.count == 1 && cut.offer == .partial(MediaTime(milliseconds: 500)))
    }

    /// An input that is more than a slot behind the leading one has gaps, but it is there.
    @Test func openCuesOfALateInputAreKept() {
        var driver = Driver()
        driver.cutter.inputReached(Epoch.at(1_000))
        driver.cue("open", 1_000)
        for (number, reached) in [(1, 2_000), (2, 6_000), (3, 12_100)] as [(Int64, Int64)] {
            driver.cutter.inputReached(Epoch.at(reached))
            #expect(driver.cut(number, isAlive: false) == (number == 3 ? ["open"] : nil))
        }
    }

    /// The cues before the return are the backup's.
    @Test func aSegmentInWhichAnInputReturnsIsPartial() {
        var driver = Driver()
        #expect(driver.cut(0) == [])
        #expect(driver.cut(1, isAlive: false) == [])
        #expect(driver.cut(2, isAlive: false) == nil)
        driver.cutter.inputReached(Epoch.at(15_000))
        driver.cutter.inputReached(Epoch.at(16_000))
        let slot = SlotBoundaries(number: Epoch.slot.advanced(by: 3), start: Epoch.at(12_000), end: Epoch.at(16_000))
        #expect(driver.cutter.cut(slot, utcOffset: .zero).offer == .partial(MediaTime(seconds: 1)))
        _ = driver.cut(4)
        #expect(driver.cutter.cues.isEmpty)
    }

    /// Tracks of one input do not come abreast.
    @Test func anInputThatIsALittleBehindHasAWholeSegment() {
        var driver = Driver()
        driver.cutter.inputReached(Epoch.at(3_100))
        let slot = SlotBoundaries(number: Epoch.slot, start: Epoch.at(0), end: Epoch.at(4_000))
        let cut = driver.cutter.cut(slot, utcOffset: .zero)
        #expect(cut.offer == .whole)
    }

    /// The decoder of captions still holds what was shown before the loss, and closes it when the input is back.
    ///
    /// A connection breaks off; datagrams only stop.
    @Test(arguments: [true, false])
    func aCueFromBeforeALossIsNotShownAgain(breaksOff: Bool) {
        var driver = Driver()
        driver.cue("old", 1_000)
        #expect(driver.cut(0) == ["old"])
        if breaksOff { driver.cutter.inputLost() }
        // Until datagrams are found missing, the cue is shown on.
        #expect(driver.cut(1, isAlive: false) == (breaksOff ? nil : ["old"]))
        #expect(driver.cut(2, 8_000..<10_000, isAlive: false) == nil)
        driver.cue("old", 1_000, 13_000)
        driver.cue("new", 13_000, 14_000)
        #expect(driver.cut(2, 10_000..<12_000) == [])
        #expect(driver.cut(3) == ["new"])
    }

    @Test func cuesKeepTheirOwnTimes() throws {
        var driver = Driver()
        driver.utcOffset = MediaTime(seconds: 100)
        driver.cue("spanning", 3_000 - 100_000, 5_000 - 100_000)
        driver.cutter.inputReached(Epoch.at(8_000))
        for number in 0..<2 as Range<Int64> {
            let slot = SlotBoundaries(
                number: Epoch.slot.advanced(by: number),
                start: Epoch.at(number * 4_000),
                end: Epoch.at(number * 4_000 + 4_000)
            )
            let cut = driver.cutter.cut(slot, utcOffset: driver.utcOffset)
            let cue = try #require(cut.cues?.first)
            #expect(cue.start == Epoch.at(3_000 - 100_000) && cue.end == Epoch.at(5_000 - 100_000))
            #expect(cut.start.utc == slot.start && cut.start.media == slot.start - driver.utcOffset)
            #expect(cut.duration == 360_000 && cut.configuration == .text(.imsc1))
        }
    }

    @Test func anOpenCueGoesOnUntilItIsClosed() {
        var driver = Driver()
        driver.cue("open", 1_000)
        #expect(driver.cut(0) == ["open"])
        #expect(driver.cut(1) == ["open"])
        driver.cue("open", 1_000, 9_000)
        #expect(driver.cut(2) == ["open"])
        #expect(driver.cut(3) == [])
        #expect(driver.cutter.takeRepairs() == [])
    }

    /// Each segment that had it says no more than its own part, so that no player shows it twice.
    @Test func anOpenCueBeginsAnewInEachSegment() throws {
        var driver = Driver()
        driver.cue("open", 1_000)
        driver.cutter.inputReached(Epoch.at(16_000))
        var times: [[MediaTime?]] = []
        for number in 0..<4 as Range<Int64> {
            if number == 2 { driver.cue("open", 1_000, 9_000) }
            let slot = SlotBoundaries(
                number: Epoch.slot.advanced(by: number),
                start: Epoch.at(number * 4_000),
                end: Epoch.at(number * 4_000 + 4_000)
            )
            times += driver.cutter.cut(slot, utcOffset: .zero).cues?.map { [$0.start, $0.end] } ?? []
        }
        #expect(times == [[Epoch.at(1_000), nil], [Epoch.at(4_000), nil], [Epoch.at(8_000), Epoch.at(9_000)]])
        #expect(driver.cutter.takeRepairs() == [])
    }

    @Test func cuesAreInOrderOfTheirStarts() {
        var driver = Driver()
        driver.cue("c", 2_000, 3_000)
        driver.cue("a", 500, 2_500)
        driver.cue("b", 1_000, 6_000)
        driver.cue("d", 2_000, 2_500)
        #expect(driver.cut(0) == ["a", "b", "c", "d"])
        #expect(driver.cut(1) == ["b"])
    }

    @Test func whatIsOverComesTooLate() {
        var driver = Driver()
        #expect(driver.cut(0) == [])
        driver.cue("over", 1_000, 4_000)
        driver.cue("not over", 2_000, 4_002)
        #expect(driver.cutter.takeRepairs() == [.lateSample])
        #expect(driver.cutter.takeRepairs() == [])
        #expect(driver.cut(1) == ["not over"])
    }

    @Test func aFloodOfCuesIsLimited() {
        var driver = Driver()
        for number in 0..<Int64(TextCutter.mostCues) + 2 { driver.cue("\(number)", 1_000 + number, 1_000_000) }
        #expect(driver.cutter.cues.count == TextCutter.mostCues)
        #expect(driver.cutter.takeRepairs() == [.surplusCue, .surplusCue])
    }

    /// It is shown to nobody.
    @Test func aCueWithoutLengthIsInNoSlot() {
        var driver = Driver()
        driver.cutter = TextCutter(.webVTT)
        driver.cutter.received(Cue(start: Epoch.at(4_000), end: Epoch.at(4_000), payload: ByteBuffer(string: "edge")))
        #expect(driver.cut(0) == [])
        #expect(driver.cut(1) == [])
        #expect(driver.cut(2) == [])
    }

    /// A shorter cue would be written in milliseconds as one, or as none; 90 ticks each.
    @Test(arguments: [1, 40, 90, 134, 179] as [Int64])
    func aSliverAtAnEdgeIsLeftToTheSlotBesideIt(ticks: Int64) {
        var driver = Driver()
        let (edge, length) = (Epoch.at(4_000), MediaTime(ticks: ticks))
        let send = { (driver: inout Driver, text: String, start: MediaTime, end: MediaTime?) in
            driver.cutter.received(Cue(start: start, end: end, payload: ByteBuffer(string: text)))
        }
        send(&driver, "goes before", Epoch.at(1_000), edge + length)
        send(&driver, "comes after", edge - length, Epoch.at(6_000))
        send(&driver, "stays", edge - length, nil)
        send(&driver, "of the edge", edge - length, edge)
        send(&driver, "in the middle", Epoch.at(2_000), Epoch.at(2_000) + length)
        #expect(driver.cut(0) == ["goes before", "in the middle"])
        #expect(driver.cut(1) == ["comes after", "stays"])
        #expect(driver.cut(2) == ["stays"])
        #expect(driver.cutter.takeRepairs() == [])
    }

    /// An open cue is told up to the edge, and closed a moment behind it.
    @Test(arguments: [0, 1, 90, 179] as [Int64]) func aCueThatEndsWithItsSlotIsNotWrittenAgain(ticks: Int64) {
        var driver = Driver()
        let send = { (driver: inout Driver, end: MediaTime?) in
            driver.cutter.received(Cue(start: Epoch.at(1_000), end: end, payload: ByteBuffer(string: "open")))
        }
        send(&driver, nil)
        #expect(driver.cut(0) == ["open"])
        send(&driver, Epoch.at(4_000) + MediaTime(ticks: ticks))
        #expect(driver.cut(1) == [])
        #expect(driver.cutter.cues.isEmpty)
    }

    /// A cue that comes up with the next slot has all of its time there, also while nobody knows its end.
    @Test func anOpenCueOfTheLastMillisecondKeepsItsStart() throws {
        var driver = Driver()
        driver.cue("open", 3_999)
        #expect(driver.cut(0) == [])
        driver.cutter.inputReached(Epoch.at(8_000))
        let slot = SlotBoundaries(number: Epoch.slot.advanced(by: 1), start: Epoch.at(4_000), end: Epoch.at(8_000))
        let cues = try #require(driver.cutter.cut(slot, utcOffset: .zero).cues)
        #expect(cues.map(\.start) == [Epoch.at(3_999)])
    }

    @Test func aSlotIsAGapOnlyWhereTheInputIsLost() {
        var driver = Driver()
        driver.cue("long", 1_000, 30_000)
        driver.cue("open", 2_000)
        #expect(driver.cut(0) == ["long", "open"])
        // It has come to the edge, so that the slot after it is not known to have any.
        #expect(driver.cut(1, isAlive: false) == ["long", "open"])
        #expect(driver.cut(2, isAlive: false) == nil)
        #expect(driver.cut(3) == ["long"], "the open one ended with the silence")
        driver.cutter.inputLost()
        #expect(driver.cut(4, isAlive: false) == nil)
        #expect(driver.cut(5) == ["long"])
    }

    @Test func boundariesMayLieAnywhere() {
        var driver = Driver()
        driver.cue("before", 4_200, 4_400)
        driver.cue("after", 4_500, 4_600)
        #expect(driver.cut(0, 0..<4_500) == ["before"])
        #expect(driver.cut(1, 4_500..<8_000) == ["after"])
        driver.cue("much later", 401_000, 402_000)
        #expect(driver.cut(100) == ["much later"])
    }
}
