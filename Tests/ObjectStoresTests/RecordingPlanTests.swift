import MediaCore
import Presentation
import TestSupport
import Testing

@testable import ObjectStores

/// The order in which finished recordings are sent and deleted, whatever the store and the process do meanwhile.
@Suite struct RecordingPlanTests {
    @Test func theOldestIsSentFirstAndAllOfItIsThere() {
        var simulation = RecordingSimulation()
        simulation.add("b")
        simulation.add("c")
        simulation.add("a")
        #expect(simulation.plan.state(of: "c") == .pending)
        simulation.finishAll()
        #expect(simulation.objects.count == 18 && simulation.mostRequests == 3)
        #expect(["a", "b", "c"].allSatisfy { simulation.plan.state(of: $0) == .done(objects: 6) })
        // What is under way is finished first.
        let sent = simulation.events.map { if case .recordingSent(let id, _) = $0 { id } else { "" } }
        #expect(sent == ["b", "a", "c"])
        #expect(simulation.plan.status.sent == 3 && simulation.plan.totals.storedBytes == 180)
    }

    @Test func progressIsToldInNumbers() {
        var simulation = RecordingSimulation()
        simulation.add("a", [2, 2])
        while simulation.plan.totals.stored < 3 { simulation.finishOne() }
        #expect(simulation.plan.state(of: "a") == .running(stored: 3, objects: 4, problem: nil))
    }

    /// However requests overtake each other and fail, and whenever the process ends.
    @Test(arguments: 0..<20) func nothingNamesWhatIsNotThere(seed: UInt64) {
        var simulation = RecordingSimulation(seed: seed)
        simulation.failureRate = seed.isMultiple(of: 2) ? 0.3 : 0
        let (steps, ids) = (seed % 5 * 20, ["a", "b", "c", "d"])
        for id in ids {
            let counts = (0..<5).map { _ in Int.random(in: 1...9, using: &simulation.generator) }
            simulation.add(id, counts)
        }
        for step in 0..<steps {
            if !simulation.underWay.isEmpty { simulation.finishOne() }
            if step % 7 == 6 { simulation.kill() }
            if step == 30 { simulation.remove("b") }
        }
        simulation.kill()
        simulation.failureRate = 0
        simulation.finishAll()
        let wanted = Set(simulation.recordings.flatMap { id, pages in pages.joined().map { "\(id)/\($0)" } })
        #expect(simulation.objects == wanted)
        #expect(simulation.recordings.keys.allSatisfy { simulation.isDone($0) })
        #expect(Set(simulation.ledger.keys) == Set(simulation.recordings.keys))
    }

    @Test func aLaterProcessSendsNoPageAgainThatIsOver() throws {
        var simulation = RecordingSimulation()
        simulation.add("a", [4, 4, 4])
        while simulation.ledger["a"]?.done != 1 { simulation.finishOne() }
        let before = simulation.heeded.count
        simulation.kill()
        simulation.finishAll()
        let later = simulation.heeded.dropFirst(before)
        #expect(!later.contains { if case .put(_, let path) = $0 { path.hasPrefix("0/") } else { true } })
        #expect(simulation.isDone("a"))
    }

    // MARK: The stream

    @Test func withoutLanesOnlyTheDiskIsAsked() {
        var simulation = RecordingSimulation()
        simulation.lanes = 0
        simulation.add("a")
        simulation.finishAll()
        #expect(simulation.heeded.isEmpty && simulation.ledger["a"]?.pages == 3)
        simulation.lanes = 2
        simulation.begin()
        simulation.finishAll()
        #expect(simulation.isDone("a") && simulation.mostRequests == 2)
    }

    @Test func theStreamGoesFirst() throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications])
        var plan = PushPlan(expiry: .delete, lanes: 16)
        let now = ContinuousClock.now
        #expect(plan.spareLanes(at: now) == 4)
        try feed.publish(count: 8)
        for publication in publications.take() { plan.take(publication, at: now) }
        // Recordings that are under way leave it twelve.
        #expect(plan.lanes(at: now, beside: 4) == 12)
        let actions = plan.actions(at: now, beside: 4)
        #expect(!actions.isEmpty && actions.count <= 12)
        #expect(plan.spareLanes(at: now + .milliseconds(900)) > 0)
        #expect(plan.spareLanes(at: now + .milliseconds(1100)) == 0)
        let failure = PushPlan.Outcome.answered(.failed(.busy(status: 503, code: nil), retryAfter: nil), byteCount: 0)
        for action in actions { plan.finish(action, failure, at: now, chance: 1) }
        #expect(plan.spareLanes(at: now) == 0)
        // A store that fails is asked by the stream, whatever recordings have under way.
        let later = try #require(plan.wakes(after: now))
        #expect(plan.lanes(at: later, beside: 4) >= 1 && plan.lanes(at: later, beside: 16) == 1)
    }

    // MARK: Removal

    @Test func whatIsGoneIsDeletedFromItsEnd() {
        var simulation = RecordingSimulation()
        simulation.add("a")
        simulation.finishAll()
        simulation.remove("a")
        #expect(simulation.plan.status.removing == 1)
        simulation.finishAll()
        #expect(simulation.objects.isEmpty && simulation.ledger.isEmpty && simulation.plan.items.isEmpty)
        #expect(simulation.events.last == .recordingRemoved(id: "a"))
    }

    @Test func whatIsToGoWaitsForNoLongRecording() {
        var simulation = RecordingSimulation()
        simulation.add("z", [1])
        simulation.finishAll()
        simulation.add("a", Array(repeating: 4, count: 100))
        while simulation.plan.totals.stored < 8 { simulation.finishOne() }
        simulation.remove("z")
        while simulation.objects.contains("z/0/0") { simulation.finishOne() }
        #expect(simulation.plan.totals.stored < 17)
        simulation.finishAll()
        #expect(simulation.isDone("a"))
    }

    @Test func whatIsTakenBackBeforeItIsListedIsForgotten() {
        var simulation = RecordingSimulation()
        simulation.add("a")
        simulation.add("b")
        simulation.remove("b")
        simulation.remove("a")
        simulation.finishAll()
        #expect(simulation.objects.isEmpty && simulation.plan.items.isEmpty && simulation.ledger.isEmpty)
    }

    /// A directory that cannot be read deletes nothing elsewhere.
    @Test func whatCannotBeReadStays() {
        var simulation = RecordingSimulation()
        simulation.add("a")
        simulation.finishAll()
        simulation.kill()
        simulation.look(unreadable: ["a"])
        simulation.finishAll()
        #expect(simulation.objects.count == 6 && simulation.ledger["a"]?.isComplete == true)
    }

    // MARK: Failures

    private static func refuses(_ path: String) -> (RecordingPlan.Action) -> StoreProblem? {
        { action in
            if case .put("a", path) = action { .refused(status: 413, code: nil) } else { nil }
        }
    }

    @Test func whatIsRefusedHoldsUpNoOther() {
        var simulation = RecordingSimulation()
        simulation.problem = Self.refuses("1/0")
        simulation.add("a")
        simulation.add("b")
        simulation.finishAll()
        let reason = "1/0: it refuses an object (status 413)"
        #expect(simulation.plan.state(of: "a") == .failed(reason: reason) && simulation.isDone("b"))
        #expect(simulation.events == [.recordingFailed(id: "a", reason: reason), .recordingSent(id: "b", objects: 6)])
        #expect(simulation.plan.totals.failures == ["refused": 5] && !simulation.objects.contains("a/2/0"))
        // It is told once, and tried again.
        simulation.finishAll(until: simulation.now + .seconds(1300))
        #expect(simulation.events.count == 2 && (simulation.plan.totals.failures["refused"] ?? 0) >= 10)
        simulation.problem = { _ in nil }
        simulation.finishAll(until: simulation.now + .seconds(700))
        #expect(simulation.isDone("a"))
    }

    @Test func keysThatMayNotDeleteHoldUpNoRecording() {
        var simulation = RecordingSimulation()
        simulation.add("a")
        simulation.finishAll()
        simulation.problem = { action in
            if case .delete = action { .forbidden(status: 403, code: "AccessDenied") } else { nil }
        }
        simulation.remove("a")
        simulation.add("b")
        simulation.finishAll()
        #expect(simulation.isDone("b") && simulation.plan.status.failed == 1)
        guard case .recordingNotRemoved("a", _)? = simulation.events.dropFirst().first else {
            Issue.record("\(simulation.events)")
            return
        }
    }

    /// Ten hours cost requests in measure, and nothing grows.
    @Test func aStoreThatIsAwayCostsTime() {
        var simulation = RecordingSimulation()
        simulation.problem = { _ in .busy(status: 503, code: "SlowDown") }
        for number in 0..<500 { simulation.add("\(1000 + number)", [8]) }
        simulation.finishAll(until: simulation.now + .seconds(36_000))
        #expect(simulation.attempts < 8000 && simulation.ledger.count == 1 && simulation.events.isEmpty)
        #expect(simulation.plan.status.waiting == 500)
        #expect(simulation.plan.state(of: "1001") == .pending)
        simulation.problem = { _ in nil }
        simulation.finishAll()
        #expect(simulation.objects.count == 4000)
    }

    @Test func aProblemThatSomebodyHasToMendIsToldOnce() {
        var simulation = RecordingSimulation()
        let problem = StoreProblem.forbidden(status: 403, code: "AccessDenied")
        simulation.problem = { _ in problem }
        simulation.add("a")
        simulation.finishAll()
        #expect(simulation.events == [.recordingsHeldUp(problem)])
        simulation.problem = { _ in nil }
        simulation.finishAll()
        #expect(simulation.events.dropFirst().first == .recordingsResumed && simulation.isDone("a"))
    }

    @Test func aFloodOfRecordingsIsBounded() {
        var simulation = RecordingSimulation()
        let progress = RecordingProgress(pages: 1, objects: 1, done: 1, stored: 1)
        let known = (0..<RecordingPlan.mostListed).map { ("\(10_000 + $0)", progress) }
        simulation.plan.restore(Dictionary(uniqueKeysWithValues: known))
        simulation.recordings = Dictionary(uniqueKeysWithValues: known.map { ($0.0, [["0/0"]]) })
        simulation.add("a")
        simulation.finishAll()
        #expect(simulation.plan.state(of: "a") == .pending && simulation.heeded.isEmpty)
        simulation.remove("10000")
        simulation.finishAll()
        #expect(simulation.isDone("a"))
    }
}
