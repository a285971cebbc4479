import MediaCore
import TestSupport
import Testing
import Timeline

@Suite struct BoundaryPlanTests {
    private static let grid = SegmentGrid(slotDuration: MediaTime(seconds: 4))
    private static let base = MediaTime(seconds: 4) * 448_750_000
    private static let first = MediaSequenceNumber(448_750_000)

    /// Milliseconds after the start of the first slot.
    private static func at(_ milliseconds: Int64) -> MediaTime { base + MediaTime(milliseconds: milliseconds) }

    private static func plan(_ splices: Int64...) -> BoundaryPlan {
        var plan = BoundaryPlan(grid: grid)
        for splice in splices { _ = plan.add(splice: at(splice), heard: at(-4_000)) }
        return plan
    }

    /// The starts of the slots from the first on, in milliseconds.
    private static func starts(_ plan: BoundaryPlan, count: Int64 = 6) -> [Int64] {
        (0..<count).map { (plan.start(of: first.advanced(by: $0)) - base).milliseconds }
    }

    @Test(
        arguments: [
            (8_000, [0, 4_000, 8_000, 12_000]), (9_999, [0, 4_000, 9_999, 12_000]), (6_000, [0, 4_000, 6_000, 12_000]),
            (10_000, [0, 4_000, 8_000, 10_000]), (6_001, [0, 4_000, 6_001, 12_000]),
        ] as [(Int64, [Int64])]
    )
    func aSpliceMovesTheNearestEdge(splice: Int64, starts: [Int64]) {
        #expect(Self.starts(Self.plan(splice), count: 4) == starts)
    }

    @Test func twoInASlotMoveBothOfItsEdges() {
        #expect(Self.starts(Self.plan(5_200, 6_900), count: 4) == [0, 5_200, 6_900, 12_000])
    }

    @Test func whatIsTooNearToAnotherIsNotPlanned() {
        var plan = Self.plan(8_000)
        #expect(plan.add(splice: Self.at(8_500), heard: Self.at(0)) == .crowded)
        #expect(plan.add(splice: Self.at(10_200), heard: Self.at(0)) == .planned(Self.first.advanced(by: 3)))
    }

    /// A splice that its feed has withdrawn gives its edge back, for another one too.
    @Test func aSpliceThatIsWithdrawnMovesNothing() {
        var plan = Self.plan(8_000)
        #expect(plan.remove(splice: Self.at(8_050), heard: Self.at(4_000)) == Self.first.advanced(by: 2))
        #expect(plan == Self.plan() && plan.remove(splice: Self.at(8_000), heard: Self.at(4_000)) == nil)
        #expect(plan.add(splice: Self.at(9_000), heard: Self.at(4_000)) == .planned(Self.first.advanced(by: 2)))
    }

    /// What the feed has passed stays: it may be cut.
    @Test(arguments: [(7_000, 7_100), (9_000, 8_100), (9_000, 20_000)] as [(Int64, Int64)])
    func aSpliceThatMayBeCutStays(splice: Int64, heard: Int64) {
        var plan = Self.plan(splice, 14_000)
        #expect(plan.remove(splice: Self.at(splice), heard: Self.at(heard)) == nil)
        #expect(plan == Self.plan(splice, 14_000))
    }

    /// Two that want one edge, in whatever order they come: the withdrawn one leaves the same plan, as after a restart.
    @Test(arguments: [[9_000, 8_500], [8_500, 9_000]] as [[Int64]])
    func withdrawingDoesNotDependOnTheOrder(splices: [Int64]) {
        var plan = Self.plan()
        for splice in splices { _ = plan.add(splice: Self.at(splice), heard: Self.at(0)) }
        #expect(Self.starts(plan, count: 4) == [0, 4_000, 8_500, 12_000])
        var other = plan
        #expect(plan.remove(splice: Self.at(9_000), heard: Self.at(1_000)) == nil)
        #expect(plan.remove(splice: Self.at(8_500), heard: Self.at(1_000)) == Self.first.advanced(by: 2))
        #expect(plan == Self.plan())
        // The one that had no room has it then.
        #expect(other.remove(splice: Self.at(8_500), heard: Self.at(1_000)) == Self.first.advanced(by: 2))
        #expect(Self.starts(other, count: 4) == [0, 4_000, 9_000, 12_000])
    }

    /// Splices without room are forgotten with the slots, so that a feed of many leaves nothing behind.
    @Test func splicesWithoutRoomAreForgotten() {
        var plan = Self.plan(8_000)
        #expect(plan.add(splice: Self.at(8_500), heard: Self.at(0)) == .crowded)
        plan.forget(before: Self.first.advanced(by: 3))
        #expect(plan == Self.plan())
    }

    @Test func noSegmentIsPlannedLongerThanTheTargetDuration() {
        // The edges at 4 and 8 s would be seven seconds apart.
        let plan = Self.plan(2_500, 9_000)
        #expect(Self.starts(plan, count: 5) == [0, 2_500, 8_000, 12_000, 16_000])
    }

    @Test func whatIsHeardTooLateMovesNothing() {
        var plan = BoundaryPlan(grid: Self.grid)
        #expect(plan.add(splice: Self.at(9_000), heard: Self.at(9_100)) == .late(by: MediaTime(milliseconds: 100)))
        // The edge at 8 s has gone by, and may have been cut.
        #expect(plan.add(splice: Self.at(9_000), heard: Self.at(8_200)) == .late(by: MediaTime(milliseconds: 200)))
        #expect(plan == BoundaryPlan(grid: Self.grid))
    }

    @Test func theSameSpliceOfAnotherInputIsOne() {
        var plan = Self.plan(9_000)
        let before = plan
        #expect(plan.add(splice: Self.at(9_020), heard: Self.at(0)) == .planned(Self.first.advanced(by: 2)))
        #expect(plan == before)
    }

    /// Two packagers that hear the same in another order plan the same, every point lies in one slot, and no slot is out
    /// of bounds.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func orderDoesNotMatter(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let splices = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            Self.at(Int64.random(in: 0...24_000, using: &generator))
        }
        var plans = [BoundaryPlan(grid: Self.grid), BoundaryPlan(grid: Self.grid)]
        // What is nearer than a tenth of a second is one splice, of whichever is first.
        let distinct = splices.filter { splice in
            splices.allSatisfy { $0 == splice || abs(($0 - splice).ticks) > MediaTime(milliseconds: 100).ticks }
        }
        for splice in distinct { _ = plans[0].add(splice: splice, heard: Self.at(-8_000)) }
        // What an earlier one crowds out when it is heard later is crowded out as well when it is heard first.
        for splice in distinct.shuffled(using: &generator) { _ = plans[1].add(splice: splice, heard: Self.at(-8_000)) }
        #expect(Self.starts(plans[0], count: 10) == Self.starts(plans[1], count: 10))
        for slot in -2..<10 as Range<Int64> {
            let number = Self.first.advanced(by: slot)
            let (start, end) = (plans[0].start(of: number), plans[0].start(of: number.next))
            #expect(end - start >= MediaTime(seconds: 1) && end - start <= Self.grid.longestSegment)
            #expect(plans[0].slot(at: start) == number && plans[0].slot(at: end - MediaTime(ticks: 1)) == number)
            #expect(plans[0].earliestStart(of: number) <= start && start <= plans[0].latestStart(of: number))
            #expect(plans[0].latestStart(of: number) <= plans[0].earliestStart(of: number.next))
        }
    }

    @Test func whatIsPastIsForgotten() {
        var plan = Self.plan(5_000, 21_000)
        plan.forget(before: Self.first.advanced(by: 3))
        #expect(plan == Self.plan(21_000))
    }
}
