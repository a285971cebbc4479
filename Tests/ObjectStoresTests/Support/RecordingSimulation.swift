import TestSupport
import Testing

@testable import ObjectStores

/// A disk and a store around a plan of recordings, with requests that they are not done with.
struct RecordingSimulation {
    var plan = RecordingPlan(lanes: 4)
    /// The pages of the recordings at the origin.
    var recordings: [String: [[String]]] = [:]
    /// The progress of recordings as the disk has it, also when they are gone.
    private(set) var ledger: [String: RecordingProgress] = [:]
    private var pages: [String: [[String]]] = [:]
    /// The objects in the store, as `ID/PATH`.
    private(set) var objects: Set<String> = []
    private(set) var underWay: [RecordingPlan.Action] = []
    private(set) var events: [PushEvent] = []
    /// The requests that the store has heeded, in order.
    private(set) var heeded: [RecordingPlan.Action] = []
    private(set) var mostRequests = 0
    private(set) var attempts = 0
    var generator: SeededGenerator
    /// The share of requests that fail; half of these are heeded nevertheless.
    var failureRate = 0.0
    /// The problem of a request that fails in any case.
    var problem: (RecordingPlan.Action) -> StoreProblem? = { _ in nil }
    /// True if the store takes what the stream sends meanwhile.
    var isStreamSent = false
    /// The requests that may be under way.
    var lanes = 4
    var now = ContinuousClock.now

    init(seed: UInt64 = 1) { generator = SeededGenerator(seed: seed) }

    /// Returns true if all of a recording was sent.
    func isDone(_ id: String) -> Bool {
        if case .done = plan.state(of: id) { true } else { false }
    }

    /// Adds a recording whose pages have so many objects.
    mutating func add(_ id: String, _ counts: [Int] = [3, 2, 1]) {
        recordings[id] = counts.enumerated().map { page, count in (0..<count).map { "\(page)/\($0)" } }
        look()
    }

    mutating func remove(_ id: String) {
        recordings[id] = nil
        look()
    }

    /// Tells the plan which recordings there are; those that cannot be read are neither there nor gone.
    mutating func look(unreadable: Set<String> = []) {
        let ready = Set(recordings.keys).subtracting(unreadable)
        plan.take(ready: ready, gone: Set(plan.others(than: ready)).subtracting(unreadable))
        begin()
    }

    mutating func begin() {
        // One step of the disk may be followed by requests only once it is done.
        underWay += plan.actions(at: now, lanes: lanes)
        mostRequests = max(mostRequests, plan.requestCount)
    }

    /// Ends the process: requests under way may have been heeded, and another takes what the disk remembers.
    mutating func kill() {
        for action in underWay where Bool.random(using: &generator) { _ = outcome(of: action) }
        underWay = []
        plan = RecordingPlan(lanes: 4)
        plan.restore(ledger)
        look()
    }

    mutating func finishOne() {
        let action = underWay.remove(at: .random(in: underWay.indices, using: &generator))
        if let failure = failure(of: action) {
            if Bool.random(using: &generator), problem(action) == nil { _ = outcome(of: action) }
            plan.finish(
                action,
                .answered(.failed(failure, retryAfter: nil), byteCount: 0),
                at: now,
                chance: 1,
                othersAnswered: isStreamSent
            )
        } else {
            plan.finish(action, outcome(of: action), at: now, chance: 1)
        }
        events += plan.takeEvents()
        now += .milliseconds(1)
        begin()
    }

    private mutating func failure(of action: RecordingPlan.Action) -> StoreProblem? {
        switch action {
        case .list, .turn, .forget: return nil
        case .put, .delete:
            attempts += 1
            if let problem = problem(action) { return problem }
            return Double.random(in: 0..<1, using: &generator) < failureRate ? .busy(status: 503, code: nil) : nil
        }
    }

    private mutating func outcome(of action: RecordingPlan.Action) -> RecordingPlan.Outcome {
        switch action {
        case .list(let id):
            let listed = recordings[id] ?? []
            let progress = RecordingProgress(pages: listed.count, objects: listed.reduce(0) { $0 + $1.count })
            (pages[id], ledger[id]) = (listed, progress)
            return .listed(progress)
        case .turn(let id, let progress):
            ledger[id] = progress
            let known = pages[id] ?? []
            return .page(known.indices.contains(progress.page) ? known[progress.page] : [])
        case .forget(let id):
            (pages[id], ledger[id]) = (nil, nil)
            return .forgotten
        case .put(let id, let path):
            heeded.append(action)
            guard recordings[id] != nil else { return .gone }
            objects.insert("\(id)/\(path)")
            expectOrder(of: id)
            return .answered(.done, byteCount: 10)
        case .delete(let id, let path):
            heeded.append(action)
            objects.remove("\(id)/\(path)")
            expectOrder(of: id)
            return .answered(.done, byteCount: 0)
        }
    }

    /// Nothing of a page is there while something of an earlier one is not.
    private func expectOrder(of id: String) {
        let known = (pages[id] ?? []).map { page in page.map { objects.contains("\(id)/\($0)") } }
        guard let first = known.firstIndex(where: { $0.contains(false) }) else { return }
        let later = known[(first + 1)...]
        #expect(!later.contains { $0.contains(true) }, "\(id): \(known)")
    }

    /// Lets everything come to its end; time passes where there is nothing to do before.
    ///
    /// - Parameter end: The time after which nothing more is waited for; nil for ten minutes less a second.
    mutating func finishAll(until end: ContinuousClock.Instant? = nil) {
        let end = end ?? now + .seconds(599)
        for _ in 0..<200_000 {
            if !underWay.isEmpty {
                finishOne()
            } else if let time = plan.wakes(after: now), time <= end {
                now = time
                begin()
            } else {
                return
            }
        }
        Issue.record("it does not come to an end")
    }
}
