import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

/// Recordings that fail hold up no others, and are told in measure.
@Suite struct RecordingFailuresTests {
    /// Credentials that may put need not be good for deleting.
    @Test func manyThatCannotBeDeletedHoldUpNoRecording() {
        var simulation = RecordingSimulation()
        for number in 10..<40 { simulation.add("\(number)", [1]) }
        simulation.finishAll()
        simulation.problem = { action in
            if case .delete = action { .forbidden(status: 403, code: "AccessDenied") } else { nil }
        }
        for number in 10..<40 { simulation.remove("\(number)") }
        simulation.add("b")
        simulation.finishAll(until: simulation.now + .seconds(3600))
        #expect(simulation.isDone("b") && simulation.plan.status.failed == 30)
        // It is the same problem for all of them.
        #expect(simulation.events.count { if case .recordingNotRemoved = $0 { true } else { false } } == 1)
        simulation.problem = { _ in nil }
        simulation.finishAll(until: simulation.now + .seconds(1300))
        #expect(simulation.plan.status.failed == 0 && simulation.objects.count == 6)
    }

    @Test func manyThatAreRefusedHoldUpNoRecording() {
        var simulation = RecordingSimulation()
        simulation.problem = { action in
            if case .put(let id, _) = action, id != "b" { .refused(status: 413, code: nil) } else { nil }
        }
        for number in 10..<40 { simulation.add("\(number)", [1]) }
        simulation.add("b")
        simulation.finishAll(until: simulation.now + .seconds(3600))
        #expect(simulation.isDone("b") && simulation.plan.status.failed == 30)
    }

    /// An object that no server on the way lets through is not refused: it is never answered, while the stream is.
    @Test(arguments: [StoreProblem.unreachable("no complete answer in 60 s"), .busy(status: 504, code: nil)])
    func anObjectThatIsNeverAnsweredHoldsUpNoRecording(problem: StoreProblem) {
        var simulation = RecordingSimulation()
        simulation.isStreamSent = true
        simulation.problem = { action in if case .put("a", "0/1") = action { problem } else { nil } }
        for id in ["a", "b", "c"] { simulation.add(id) }
        simulation.finishAll(until: simulation.now + .seconds(1800))
        #expect(simulation.isDone("b") && simulation.isDone("c") && simulation.plan.status.failed == 1)
        simulation.remove("b")
        simulation.finishAll(until: simulation.now + .seconds(1800))
        #expect(!simulation.objects.contains { $0.hasPrefix("b/") })
        let failures = simulation.events.filter { if case .recordingFailed("a", _) = $0 { true } else { false } }
        #expect(failures.count == 1, "\(simulation.events)")
        simulation.problem = { _ in nil }
        simulation.finishAll(until: simulation.now + .seconds(1300))
        #expect(simulation.isDone("a"))
    }

    @Test func aProblemIsToldOnceWhicheverFileHasIt() {
        var simulation = RecordingSimulation()
        let refusals = Mutex(0)
        simulation.problem = { action in
            guard case .put("a", _) = action else { return nil }
            let count = refusals.withLock { count in
                count += 1
                return count
            }
            return .refused(status: 400, code: "E\(count)")
        }
        simulation.add("a", [8])
        simulation.finishAll(until: simulation.now + .seconds(3600))
        #expect(simulation.events.count == 1, "\(simulation.events)")
    }

    /// An alert waits for longer than the pause between two attempts.
    @Test func aRecordingThatIsTriedAgainCountsAsFailed() throws {
        var simulation = RecordingSimulation()
        simulation.problem = { action in
            if case .put = action { .refused(status: 413, code: nil) } else { nil }
        }
        simulation.add("a")
        simulation.finishAll()
        #expect(simulation.plan.status.failed == 1)
        simulation.now = try #require(simulation.plan.wakes(after: simulation.now))
        simulation.begin()
        #expect(!simulation.underWay.isEmpty && simulation.plan.status.failed == 1)
        simulation.problem = { _ in nil }
        simulation.finishAll()
        #expect(simulation.plan.status.failed == 0 && simulation.isDone("a"))
    }
}
