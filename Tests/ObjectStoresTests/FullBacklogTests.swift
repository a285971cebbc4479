import TestSupport
import Testing

@testable import ObjectStores

/// Segments that are to be sent later, and have no room on disk.
@Suite struct FullBacklogTests {
    @Test func whatIsServedIsStillSent() throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications])
        var plan = PushPlan(expiry: .keep, lanes: 4)
        try feed.publish(count: 5)
        for publication in publications.take() { plan.take(publication, at: .now) }
        let kept = plan.filesToKeep
        #expect(!kept.isEmpty)
        for path in kept { plan.keep(path, byteCount: 10) }
        let waiting = plan.pending
        plan.shed(to: 0)
        #expect(plan.backlogBytes == 0 && plan.pending == waiting && plan.totals.lost == 0)
        let released = plan.takeReleased()
        #expect(Set(released) == Set(kept))
        // It is not written again, and given up once the origin has it no longer.
        #expect(plan.filesToKeep.isEmpty)
        try feed.publish(count: 30)
        for publication in publications.take() { plan.take(publication, at: .now) }
        #expect(plan.totals.lost > 0 && plan.files.count < 60)
    }
}
