import MediaCore
import Testing
import Timeline

@Suite struct SegmentGridTests {
    private static func grid(milliseconds: Int64) -> SegmentGrid {
        SegmentGrid(slotDuration: MediaTime(milliseconds: milliseconds))
    }

    @Test(
        arguments: [
            (0, 0), (359_999, 0), (360_000, 1), (719_999, 1), (161_550_000_000_000, 448_750_000),
            (-1, -1), (-360_000, -1), (-360_001, -2),
        ] as [(Int64, Int64)]
    )
    func aSlotHoldsItsStartAndNotItsEnd(ticks: Int64, number: Int64) {
        #expect(Self.grid(milliseconds: 4_000).slot(at: MediaTime(ticks: ticks)) == MediaSequenceNumber(number))
    }

    @Test(arguments: [1_000, 1_920, 2_000, 2_002, 4_000, 6_000, 10_000] as [Int64])
    func everySlotStartsWhereTheOneBeforeEnds(milliseconds: Int64) {
        let grid = Self.grid(milliseconds: milliseconds)
        for value in [-2, -1, 0, 1, 448_750_000, 1_795_000_000] as [Int64] {
            let number = MediaSequenceNumber(value)
            let start = grid.start(of: number)
            #expect(grid.slot(at: start) == number)
            #expect(grid.slot(at: start - MediaTime(ticks: 1)) == number.previous)
            #expect(grid.start(of: number.next) - start == MediaTime(milliseconds: milliseconds))
        }
    }

    /// ceil(1.5·D).
    @Test(
        arguments: [(1_000, 2), (1_920, 3), (2_000, 3), (2_002, 4), (4_000, 6), (6_000, 9), (10_000, 15)]
            as [(Int64, Int)]
    )
    func theTargetDurationIsHalfAsMuchAgainInWholeSeconds(milliseconds: Int64, seconds: Int) {
        let grid = Self.grid(milliseconds: milliseconds)
        #expect(grid.targetDuration == seconds)
        #expect(grid.longestSegment == MediaTime(seconds: Int64(seconds)))
    }

    @Test(arguments: [(1_000, 45_000), (1_920, 86_400), (2_002, 90_090), (4_000, 180_000)] as [(Int64, Int64)])
    func aSegmentMayStartHalfASlotFromItsEdge(milliseconds: Int64, ticks: Int64) {
        #expect(Self.grid(milliseconds: milliseconds).tolerance.ticks == ticks)
    }
}
