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
        for count in 0...20 {
            deletions.refused("a", problem, sentAt: now, now: now, chance: 1)
            // One that is refused may be alone.
            #expect(deletions.mayBegin(at: now) == (count == 0))
            now = deletions.resumesAt ?? now + .milliseconds(1)
            #expect(deletions.mayBegin(at: now))
        }
        // Six pauses that double, and then the longest one.
        let pauses = [10, 20, 40, 80, 160, 320, 14 * 600].reduce(0, +)
        #expect(now - start == .seconds(pauses) + .milliseconds(1))
        var events = [deletions.takeEvent(), deletions.takeEvent()]
        deletions.succeeded("a", sentAt: start)
        #expect(deletions.refusal == problem)
        events.append(deletions.takeEvent())
        deletions.succeeded("b", sentAt: now)
        events.append(deletions.takeEvent())
        #expect(events == [.deletionsRefused(problem), nil, nil, .deletionsResumed])
        #expect(deletions.mayBegin(at: start))
    }

    // MARK: Some objects

    /// A store that lets some objects not be deleted, and the plan of a channel that goes on; slots take four seconds.
    private struct Simulation {
        private let publications = Publications()
        private var feed: Feed
        var plan = PushPlan(expiry: .delete, lanes: 8)
        /// Returns true if the store does not let an object be deleted.
        var isLocked: (String) -> Bool
        private(set) var now = ContinuousClock.now
        private(set) var attempts: [String: Int] = [:]
        private(set) var deleted: Set<String> = []
        private(set) var events: [PushEvent] = []

        static let problem = StoreProblem.forbidden(status: 403, code: "AccessDenied")

        init(isLocked: @escaping (String) -> Bool) {
            self.isLocked = isLocked
            feed = Feed(consumers: [publications])
        }

        mutating func publish(_ count: Int) throws {
            for _ in 0..<count {
                try feed.publish()
                for publication in publications.take() { plan.take(publication, at: now) }
                finishAll()
                now += .seconds(4)
            }
        }

        private mutating func finishAll() {
            var actions = plan.actions(at: now)
            while !actions.isEmpty {
                let action = actions.removeFirst()
                let outcome = outcome(of: action)
                now += .milliseconds(1)
                plan.finish(action, outcome, at: now, chance: 1)
                if let event = plan.deletions.takeEvent() { events.append(event) }
                actions += plan.actions(at: now)
            }
        }

        private mutating func outcome(of action: PushPlan.Action) -> PushPlan.Outcome {
            switch action {
            case .read: return .names([])
            case .find: return .answered(.missing, byteCount: 0)
            case .put: return .answered(.done, byteCount: 1)
            case .delete(let path):
                attempts[path, default: 0] += 1
                if isLocked(path) { return .answered(.failed(Self.problem, retryAfter: nil), byteCount: 0) }
                deleted.insert(path)
                return .answered(.done, byteCount: 0)
            }
        }
    }

    @Test func oneThatIsLockedHoldsUpNoOther() throws {
        let locked = "\(Feed.video)/\(Feed.firstNumber + 2).m4s"
        var simulation = Simulation { $0 == locked }
        // Thirteen minutes.
        try simulation.publish(200)
        #expect(simulation.events == [.deletionsRefused(Simulation.problem)])
        #expect(simulation.plan.deletions.refusedCount == 1)
        // After 10, 20, 40, 80, 160 and 320 seconds.
        #expect(simulation.attempts[locked] == 7, "\(simulation.attempts[locked] ?? 0)")
        // Two segments a slot, less those that are served.
        #expect(simulation.deleted.count > 300 && simulation.plan.expired.isEmpty)
        #expect(simulation.attempts.filter { $0.key != locked }.values.allSatisfy { $0 == 1 })
        #expect(!simulation.plan.hasToDelete)
        simulation.isLocked = { _ in false }
        try simulation.publish(160)
        #expect(simulation.deleted.contains(locked) && simulation.plan.deletions.refusedCount == 0)
        #expect(simulation.events.last == .deletionsResumed && simulation.events.count == 2)
    }

    /// Each that is locked for a while is tried again and again.
    @Test func manyThatAreLockedComeInTurn() throws {
        let last = Feed.firstNumber + 40
        var simulation = Simulation { path in
            path.hasPrefix("\(Feed.audio)/") && path.hasSuffix(".m4s")
                && (Feed.firstNumber..<last).contains { path.hasSuffix("/\($0).m4s") }
        }
        // More than an hour.
        try simulation.publish(1000)
        #expect(simulation.plan.deletions.refusedCount == 40 && simulation.plan.expired.isEmpty)
        #expect(simulation.events == [.deletionsRefused(Simulation.problem)])
        let attempts = simulation.attempts.values.filter { $0 > 1 }
        #expect(attempts.count == 40)
        // It has room for 400 pauses of ten seconds.
        #expect(attempts.reduce(0, +) < 440, "\(attempts)")
        simulation.isLocked = { _ in false }
        try simulation.publish(10)
        #expect(simulation.plan.deletions.refusedCount == 0 && simulation.events.last == .deletionsResumed)
    }

    @Test func aStoreThatRefusesAllIsAskedSeldom() throws {
        var simulation = Simulation { _ in true }
        // More than an hour.
        try simulation.publish(1000)
        #expect(simulation.attempts.values.reduce(0, +) < 24 && simulation.deleted.isEmpty)
        #expect(simulation.events == [.deletionsRefused(Simulation.problem)])
        simulation.isLocked = { _ in false }
        try simulation.publish(200)
        #expect(simulation.plan.deletions.refusedCount == 0 && simulation.plan.expired.isEmpty)
        #expect(simulation.events.count == 2 && simulation.events.last == .deletionsResumed)
    }

    /// An initialization section that is used once more is not deleted later.
    @Test func whatIsServedAgainIsNotDeleted() {
        var deletions = PushDeletions(lanes: 16)
        let now = ContinuousClock.now
        let problem = StoreProblem.forbidden(status: 403, code: nil)
        for path in ["a", "b"] { deletions.refused(path, problem, sentAt: now, now: now, chance: 1) }
        deletions.forget("a")
        #expect(deletions.refusedCount == 1 && !deletions.isRefused("a"))
        let later = now + .seconds(20)
        #expect(deletions.nextRefused(at: now) == nil && deletions.nextRefused(at: later) == "b")
        // One at a time.
        #expect(deletions.nextRefused(at: later) == nil)
        // A request without an answer is made again.
        deletions.putBack("b")
        #expect(deletions.nextRefused(at: later + .seconds(20)) == "b")
    }
}
