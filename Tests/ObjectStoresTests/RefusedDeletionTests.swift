import NIOHTTP1
import Presentation
import TestSupport
import Testing

@testable import ObjectStores

/// Channels that are sent to a store which lets nothing be deleted.
@Suite struct RefusedDeletionTests {
    @Test func refusedDeletionsHoldUpNothingAndAreToldOnce() async throws {
        let server = try await StandInStore()
        server.fail { $0.method == .DELETE ? .error(403, "AccessDenied") : nil }
        let events = PushEvents()
        let push = Push(try server.objectStore(), number: 0, expiry: .delete, waits: false) { events.append($0) }
        var feed = Feed(consumers: [push])
        for _ in 0..<20 {
            try feed.publish()
            await feed.presentation.finished()
            _ = try await eventually(within: 10, "everything is sent") { push.isIncomplete ? nil : true }
        }
        let problem = StoreProblem.forbidden(status: 403, code: "AccessDenied")
        #expect(events.all == [.deletionsRefused(problem)])
        #expect(push.status.problem == nil)
        #expect(server.requests.count { $0.method == .DELETE } <= Push.lanes)
        push.close()
    }

    @Test func attemptsBackOffUntilOneSucceeds() {
        let start = ContinuousClock.now
        let problem = StoreProblem.forbidden(status: 403, code: nil)
        var (deletions, now) = (PushDeletions(lanes: 16), start)
        for _ in 0..<20 {
            deletions.refused(problem, sentAt: now, now: now, chance: 1)
            #expect(!deletions.mayBegin(at: now))
            now = deletions.resumesAt ?? now
            #expect(deletions.mayBegin(at: now))
        }
        // Six pauses that double, and then the longest one.
        let pauses = [10, 20, 40, 80, 160, 320, 14 * 600].reduce(0, +)
        #expect(now - start == .seconds(pauses))
        var events = [deletions.takeEvent(), deletions.takeEvent()]
        deletions.succeeded(sentAt: start)
        #expect(deletions.refusal == problem)
        events.append(deletions.takeEvent())
        deletions.succeeded(sentAt: now)
        events.append(deletions.takeEvent())
        #expect(events == [.deletionsRefused(problem), nil, nil, .deletionsGoOn])
        #expect(deletions.mayBegin(at: start))
    }
}
