import MediaCore
import Testing
import Timeline

/// The lead of a window from which on a clock must be wrong.
@Suite struct SegmentGridLeadTests {
    /// Seconds from the end of the newest slot to now.
    @Test(
        arguments: [(1, 12, nil), (1, 13, 13), (4, 18, nil), (4, 20, 20), (4, 60, 60), (4, -8, nil)]
            as [(Int64, Int64, Int64?)]
    )
    func whatThisProgramPublishesIsPlausible(slotSeconds: Int64, ahead: Int64, found: Int64?) {
        let grid = SegmentGrid(slotDuration: MediaTime(seconds: slotSeconds))
        let newest = grid.slot(at: MediaTime(seconds: 1_795_000_000))
        let now = grid.start(of: newest.next) - MediaTime(seconds: ahead)
        #expect(grid.implausibleLead(of: newest, at: now) == found.map(MediaTime.init(seconds:)))
    }
}
