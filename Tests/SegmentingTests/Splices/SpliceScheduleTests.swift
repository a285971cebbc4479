import MediaCore
import Playlists
import SCTE35
import TestSupport
import Testing

@testable import Segmenting

/// The date ranges of a programme's sections (RFC 8216bis § 4.4.5.1.1).
@Suite struct SpliceScheduleTests {
    typealias Fixture = SpliceFixture

    /// 1,800,000,000 is 2027-01-15T08:00:00Z.
    @Test func aBreakIsToldWithTheSegmentBeforeIt() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8, lasting: 20))
        try fixture.hear(Fixture.back(7, at: 30), at: 20)
        #expect(fixture.boundaries == [8, 30])
        #expect(
            fixture.tags(slots: 9) == [
                "4 below 7-20270115T080008Z 8.0 planned 20.0 OUT",
                "24 below 7-20270115T080008Z 8.0 lasts 22.0 IN",
            ]
        )
    }

    @Test func repeatedCuesMakeOneBreak() throws {
        var fixture = Fixture()
        for heard in [0, 1, 2] { try fixture.hear(Fixture.out(7, at: 8, lasting: 20), at: Double(heard)) }
        // A remultiplexer has moved timestamps, and another input has its own delay.
        var moved = Fixture.out(7, at: 3, lasting: 20)
        moved.adjustment = 5 * 90_000
        try fixture.hear(moved, at: 3)
        try fixture.hear(Fixture.out(7, at: 8.2, lasting: 20), at: 3, from: .backup(0, inputCount: 1))
        for heard in [20, 21] { try fixture.hear(Fixture.back(7, at: 28), at: Double(heard)) }
        #expect(fixture.boundaries == [8, 28])
        #expect(fixture.tags(slots: 9).count == 2)
        try fixture.hear(Fixture.out(7, at: 8, lasting: 20), at: 30)
        #expect(fixture.tags(slots: 3).isEmpty)
    }

    /// Events are numbered anew: IDs never are.
    @Test func anEventThatComesAgainIsAnotherRange() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8))
        try fixture.hear(Fixture.back(7, at: 16))
        try fixture.hear(Fixture.out(7, at: 24), at: 17)
        try fixture.hear(Fixture.back(7, at: 32), at: 25)
        let tags = fixture.tags(slots: 9)
        #expect(tags.count == 4)
        #expect(Set(tags.map { $0.split(separator: " ")[2] }).count == 2)
    }

    /// An operator clicks twice: an ID has one start (RFC 8216bis § 4.4.5.1.1).
    @Test func breaksOfOneSecondHaveTheirOwnIDs() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8.1, lasting: 10, returns: true))
        var told = [fixture.tell(), fixture.tell()].flatMap(\.all)
        try fixture.hear(Fixture.out(7, at: 8.7, lasting: 10, returns: true), at: 8.05)
        told += fixture.tell().all
        var after = fixture
        after.schedule = SpliceSchedule(restoring: told, fixture.schedule.plan, of: [.input(0)])
        #expect(after.schedule.plan == fixture.schedule.plan)
        let tags = fixture.tags(slots: 6)
        #expect(after.tags(slots: 6) == tags)
        let starts = Set(
            (told.map(\.summary) + tags).map { tag in
                tag.split(separator: " ").filter { $0.hasPrefix("7-") }.map(String.init)[0]
            }
        )
        #expect(starts == ["7-20270115T080008Z", "7-20270115T080008700Z"])
    }

    @Test func whatIsCancelledInTimeIsNotToldOf() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 12))
        try fixture.hear(Fixture.cancel(7), at: 2)
        #expect(fixture.tags(slots: 6).isEmpty)
    }

    /// A break that players were told of cannot be taken back: it ends where it begins.
    @Test func whatIsCancelledLateLastsNoTime() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 4))
        #expect(fixture.tags(slots: 1) == ["0 below 7-20270115T080004Z 4.0 OUT"])
        try fixture.hear(Fixture.cancel(7), at: 3)
        #expect(fixture.tags(slots: 3) == ["4 above 7-20270115T080004Z 4.0 lasts 0.0"])
    }

    /// The cancellation comes when the slot before the break is over: one member of a pair has decided it, the other has not.
    @Test func whatIsCancelledBehindASlotEndsForBothMembers() throws {
        var (soon, late) = (Fixture(), Fixture())
        for heard in 0..<2 {
            try soon.hear(Fixture.out(7, at: 4), at: Double(heard))
            try late.hear(Fixture.out(7, at: 4), at: Double(heard))
        }
        let first = soon.tags(slots: 1)
        try soon.hear(Fixture.cancel(7), at: 4.5)
        try late.hear(Fixture.cancel(7), at: 4.5)
        #expect(late.tags(slots: 1) == first)
        let rest = soon.tags(slots: 3)
        #expect(rest == ["4 above 7-20270115T080004Z 4.0 lasts 0.5"])
        #expect(late.tags(slots: 3) == rest)
    }

    /// An encoder has one ID for all breaks, and the primary dies between two of them.
    @Test func breakOfABackupIsNotTakenForOneThatIsOver() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8, lasting: 10, returns: true))
        _ = fixture.tags(slots: 8)
        try fixture.hear(
            Fixture.out(7, at: 48, lasting: 10, returns: true),
            at: 40,
            from: .backup(0, inputCount: 1)
        )
        #expect(fixture.boundaries == [8, 18, 48, 58])
        #expect(fixture.tags(slots: 8).first == "44 below 7-20270115T080048Z 48.0 planned 10.0 OUT")
    }

    /// A message ends a break and begins another one of the same event.
    @Test func breakThatBeganWithAnEndIsRestored() throws {
        var before = Fixture()
        try before.hear(Fixture.signal(5, 0x10, at: 4))
        var told = before.tell().all
        try before.hear(Fixture.signal(5, 0x11, 0x10, at: 8), at: 2)
        for _ in 0..<2 { told += before.tell().all }
        var after = before
        after.schedule = SpliceSchedule(restoring: told, before.schedule.plan, of: [.input(0)])
        #expect(after.schedule.plan == before.schedule.plan)
        try before.hear(Fixture.signal(5, 0x11, at: 24), at: 14)
        try after.hear(Fixture.signal(5, 0x11, at: 24), at: 14)
        let tags = before.tags(slots: 6)
        #expect(tags.contains { $0.hasSuffix(" IN") })
        #expect(after.tags(slots: 6) == tags)
    }

    @Test func aBreakMayEndByItself() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8, lasting: 10, returns: true))
        #expect(fixture.boundaries == [8, 18])
        var lines: [DateRangeLines] = []
        for _ in 0..<6 { lines.append(fixture.tell()) }
        let tags = lines.flatMap(\.all)
        #expect(tags.map(\.summary).last == "7-20270115T080008Z 8.0 lasts 10.0 IN")
        // The section that would have come.
        let bytes = try #require(tags.last?.spliceIn)
        let section = try SpliceInfoSection(bytes.span.bytes)
        #expect(section.cues == [SpliceCue(event: .init(id: 7), role: .back, timestamp: Int64(Fixture.timestamp(18)))])
    }

    @Test func returnCueEndsABreakEarly() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8, lasting: 20, returns: true))
        try fixture.hear(Fixture.back(7, at: 16), at: 10)
        #expect(fixture.tags(slots: 9).last == "12 below 7-20270115T080008Z 8.0 lasts 8.0 IN")
    }

    /// The planned duration is never altered: the real one is told when the break is over.
    @Test func aBreakMayBecomeLonger() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 4, lasting: 8, returns: true))
        #expect(fixture.tags(slots: 1).first?.contains("planned 8.0") == true)
        try fixture.hear(Fixture.out(7, at: 4, lasting: 20, returns: true), at: 5)
        #expect(fixture.tags(slots: 9) == ["20 below 7-20270115T080004Z 4.0 lasts 20.0 IN"])
    }

    /// A break lasts twice what was planned, or an hour, if no end comes.
    @Test func breakWithoutAnEndIsEndedAtItsLimit() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 4, lasting: 10))
        try fixture.hear(Fixture.out(8, at: 8))
        let tags = fixture.tags(slots: 1000)
        #expect(tags.contains("20 below 7-20270115T080004Z 4.0 lasts 20.0"))
        #expect(tags.contains("3604 below 8-20270115T080008Z 8.0 lasts 3600.0"))
        #expect(tags.count == 4)
    }

    @Test func eachSegmentationTypeIsARange() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.signal(7, 0x34, 0x30, at: 8))
        try fixture.hear(Fixture.signal(7, 0x31, at: 16))
        try fixture.hear(Fixture.signal(7, 0x35, at: 20))
        #expect(
            fixture.tags(slots: 6) == [
                "4 below 7-34-20270115T080008Z 8.0 OUT", "4 below 7-30-20270115T080008Z 8.0 OUT",
                "12 below 7-30-20270115T080008Z 8.0 lasts 8.0 IN", "16 below 7-34-20270115T080008Z 8.0 lasts 12.0 IN",
            ]
        )
    }

    @Test func otherSectionsBecomeCommands() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.signal(7, 0x01, at: 10.5))
        try fixture.hear(SpliceInfoSection(.null))
        try fixture.hear(SpliceInfoSection(.bandwidthReservation))
        for heard in [1.5, 2] {
            try fixture.hear(SpliceInfoSection(.privateCommand(identifier: 1, bytes: [2])), at: heard)
        }
        // One more at the same time.
        try fixture.hear(SpliceInfoSection(.privateCommand(identifier: 1, bytes: [3])), at: 1.5)
        // A way back of which no way out was heard.
        try fixture.hear(Fixture.back(9, at: 12), at: 2)
        #expect(fixture.boundaries.isEmpty)
        #expect(
            fixture.tags(slots: 4) == [
                "0 above command-20270115T080001500Z 1.5 lasts 0.0 CMD",
                "0 above command-20270115T080001501Z 1.501 lasts 0.0 CMD",
                "4 below 7-01-20270115T080010500Z 10.5 lasts 0.0 CMD",
                "8 below 9-20270115T080012000Z 12.0 lasts 0.0 CMD",
            ]
        )
    }

    /// The date is the first sample's that comes after the splice, where a segment begins with it.
    @Test func datesAreExactToTheSample() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 9.5))
        _ = fixture.tell()
        #expect(fixture.tell(until: 9.52, splice: 9.5).below.map(\.summary) == ["7-20270115T080009Z 9.52 OUT"])
    }

    /// The segment begins later where the encoder has no key frame, and the splice lies in the one before.
    @Test func aLateKeyFrameDoesNotMoveTheDate() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 9.5))
        _ = fixture.tell()
        #expect(fixture.tell(until: 10.3, splice: 9.5).below.map(\.summary) == ["7-20270115T080009Z 9.5 OUT"])
    }

    @Test func whatIsHeardLateIsToldAtOnce() throws {
        var fixture = Fixture()
        _ = fixture.tell()
        try fixture.hear(Fixture.out(7, at: nil), at: 5)
        try fixture.hear(Fixture.out(7, at: nil), at: 5.5, from: .backup(0, inputCount: 1))
        try fixture.hear(Fixture.back(7, at: nil), at: 7)
        #expect(
            fixture.tags(slots: 2) == [
                "4 above 7-20270115T080005Z 5.0 OUT", "4 above 7-20270115T080005Z 5.0 lasts 2.0 IN",
            ]
        )
    }

    /// A splice without a time begins when it is heard of, however near a segment does, and ends after its duration.
    @Test(arguments: [SpliceInsert.Place.immediately, .program(nil), .componentsImmediately([1, 2])])
    func whatHasNoTimeIsNotMovedToABoundary(place: SpliceInsert.Place) throws {
        var details = SpliceInsert.Details(isOut: true, place: place)
        details.duration = BreakDuration(ticks: 450_000, returnsByItself: true)
        var fixture = Fixture()
        try fixture.hear(SpliceInfoSection(.insert(SpliceInsert(eventID: 7, details: details))), at: 8.05)
        #expect(
            fixture.tags(slots: 4) == [
                "8 above 7-20270115T080008Z 8.05 planned 5.0 OUT", "8 below 7-20270115T080008Z 8.05 lasts 5.0 IN",
            ]
        )
    }

    /// Splicers send it every second: it begins at the first arrival, and lasts as long as it says.
    @Test func aRepeatedImmediateBreakKeepsItsTimes() throws {
        var fixture = Fixture()
        let break7 = Fixture.out(7, at: nil, lasting: 6, returns: true)
        var tags: [String] = []
        for second in 0..<6 {
            try fixture.hear(break7, at: 8.05 + Double(second))
            if second.isMultiple(of: 4) { tags += fixture.tags(slots: 1) }
        }
        tags += fixture.tags(slots: 4)
        #expect(
            tags == [
                "8 above 7-20270115T080008Z 8.05 planned 6.0 OUT", "8 below 7-20270115T080008Z 8.05 lasts 6.0 IN",
            ]
        )
        #expect(fixture.boundaries == [8.05, 14.05])
    }

    /// One break ends where the next begins.
    @Test func breaksMayFollowEachOther() throws {
        var fixture = Fixture()
        try fixture.hear(Fixture.out(7, at: 8, lasting: 8, returns: true))
        try fixture.hear(Fixture.out(8, at: 16, lasting: 8, returns: true))
        #expect(
            fixture.tags(slots: 4).suffix(2) == [
                "12 below 7-20270115T080008Z 8.0 lasts 8.0 IN", "12 below 8-20270115T080016Z 16.0 planned 8.0 OUT",
            ]
        )
    }

    @Test func aLaterRunEndsWhatAnEarlierOneHasTold() throws {
        var before = Fixture()
        try before.hear(Fixture.out(7, at: 4, lasting: 20, returns: true))
        try before.hear(Fixture.signal(5, 0x10, at: 4))
        let told = before.tell().all
        var after = Fixture()
        let tags = told.compactMap { DateRange(text: $0.text) }
        after.schedule = SpliceSchedule(restoring: tags, before.schedule.plan)
        _ = after.tell()
        try after.hear(Fixture.out(7, at: 4, lasting: 20, returns: true))
        try after.hear(Fixture.signal(5, 0x11, at: 16), at: 9)
        #expect(
            after.tags(slots: 6) == [
                "12 below 5-10-20270115T080004Z 4.0 lasts 12.0 IN", "20 below 7-20270115T080004Z 4.0 lasts 20.0 IN",
            ]
        )
    }

    /// A packager that comes back between a cue and its splice tells the same tags, and the end.
    @Test func plannedBreaksSurviveARestart() throws {
        var before = Fixture()
        try before.hear(Fixture.signal(5, 0x10, at: 4))
        try before.hear(Fixture.out(7, at: 20, lasting: 12))
        try before.hear(Fixture.out(8, at: 40, lasting: 8, returns: true))
        try before.hear(Fixture.signal(9, 0x01, at: 21))
        try before.hear(Fixture.out(6, at: 24))
        try before.hear(Fixture.cancel(6), at: 4.5)
        let told = before.tell().all
        try before.hear(Fixture.signal(5, 0x11, at: 36), at: 3)
        var after = before
        after.schedule = SpliceSchedule(restoring: told, before.schedule.plan, of: [.input(0)])
        #expect(after.schedule.plan == before.schedule.plan)
        for fixture in 0..<2 {
            // What is said again is known.
            if fixture == 1 { try after.hear(Fixture.out(8, at: 40, lasting: 8, returns: true), at: 6) }
        }
        let tags = before.tags(slots: 14)
        #expect(tags.count == 6)
        #expect(after.tags(slots: 14) == tags)
    }

    /// A restored schedule announces the same tags, whatever cues come and whenever it is restored.
    @Test(arguments: 0..<40)
    func restoredScheduleAnnouncesTheSame(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)]
        var (one, other) = (Fixture(), Fixture())
        var told: [DateRange] = []
        for slot in 0..<80 {
            let begin = Double(slot) * 4
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let event = UInt32.random(in: 1...3, using: &random)
                let time = begin + Double(Int.random(in: -4...24, using: &random))
                let at = Bool.random(using: &random) || Bool.random(using: &random) ? time : nil
                let section =
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0, 1: Fixture.out(event, at: at)
                    case 2: Fixture.out(event, at: at, lasting: 10, returns: Bool.random(using: &random))
                    case 3, 4: Fixture.back(event, at: at)
                    case 5: Fixture.cancel(event)
                    case 6: Fixture.signal(event, 0x30, at: time)
                    default: Fixture.signal(event, 0x01, at: time)
                    }
                let (heard, input) = (
                    begin + Double.random(in: 0..<5, using: &random), inputs.randomElement(using: &random)
                )
                try one.hear(section, at: heard, from: input ?? .input(0))
                try other.hear(section, at: heard, from: input ?? .input(0))
            }
            let (lines, others) = (one.tell(), other.tell())
            #expect(lines == others, "slot \(slot): \(lines.all.map(\.summary)) \(others.all.map(\.summary))")
            told += lines.all
            // What it has heard since its newest slot is heard again.
            if Int.random(in: 0..<4, using: &random) == 0 {
                other.schedule = SpliceSchedule(restoring: told.suffix(12), one.schedule.plan, of: inputs)
            }
        }
        #expect(told.count > 40)
    }

    /// One decides as soon as a slot is over, the other a second later: both tell the same with it.
    @Test func whatIsHeardBehindASlotIsToldWithTheNext() throws {
        var (soon, late) = (Fixture(), Fixture())
        let cue = Fixture.out(7, at: nil)
        let first = soon.tell().all.count
        for section in [cue, Fixture.out(8, at: 9), Fixture.signal(9, 0x01, at: 6)] {
            try soon.hear(section, at: 4.5)
            try late.hear(section, at: 4.5)
        }
        #expect(first == 0 && late.tell().all.isEmpty)
        let tags = soon.tags(slots: 2)
        #expect(tags.count == 3 && late.tags(slots: 2) == tags)
    }

    /// A feed with a new command every second must not make each slot's record grow without end.
    @Test func ofCommandsTheLatestAreKnown() throws {
        var fixture = Fixture()
        var count = 0
        for slot in 0..<400 {
            for second in 0..<4 {
                let bytes = [UInt8(slot / 256), UInt8(slot % 256), UInt8(second)]
                let time = Double(slot * 4 + second)
                try fixture.hear(SpliceInfoSection(.privateCommand(identifier: 1, bytes: bytes)), at: time)
            }
            count += fixture.tell().all.count
            #expect(fixture.schedule.plan.splices.count <= 68)
        }
        #expect(count == 1_600)
    }

    /// A flood leaves no range open that players were told of.
    @Test func floodOfBreaksLeavesNoRangeOpen() throws {
        var fixture = Fixture()
        for event in 0..<1_000 as Range<UInt32> { try fixture.hear(Fixture.out(event, at: 4, lasting: 2)) }
        for event in 0..<1_000 as Range<UInt32> { try fixture.hear(Fixture.signal(event, 0x01, at: 6)) }
        var told: [DateRange] = []
        for _ in 0..<4 { told += fixture.tell().all }
        try fixture.hear(Fixture.out(2_000, at: 24, lasting: 2), at: 17)
        for _ in 0..<6 { told += fixture.tell().all }
        #expect(told.problems.isEmpty)
        let begun = told.filter { $0.spliceOut != nil }.map(\.id)
        #expect(begun.count == 257 && begun.last == "2000-20270115T080024Z")
        #expect(Set(told.filter { $0.spliceOut == nil && $0.spliceCommand == nil }.map(\.id)) == Set(begun))
    }

    /// A splicer that never ends its breaks leaves room for those of the control API.
    @Test func floodOfBreaksLeavesRoomForOperators() throws {
        var fixture = Fixture()
        for event in 0..<300 as Range<UInt32> { try fixture.hear(Fixture.out(event, at: 4)) }
        #expect(fixture.schedule.breaks.count == 256 && fixture.schedule.droppedCount == 44)
        #expect(!fixture.schedule.isFull)
        for event in 1_000..<1_100 as Range<UInt32> {
            try fixture.hear(Fixture.out(event, at: 8), from: .schedule)
        }
        #expect(fixture.schedule.breaks.count == 320 && fixture.schedule.isFull)
    }
}
