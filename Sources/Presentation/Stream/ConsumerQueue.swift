import Dispatch
import MediaCore
import Synchronization

/// Hands publications to one consumer, on a thread of its own and in order.
///
/// Publications that the consumer has no room for are left out; a snapshot takes their place, once it has taken those
/// before.
final class ConsumerQueue: Sendable {
    let consumer: any PublicationConsumer
    private let snapshot: @Sendable () -> StreamSnapshot?
    private let queue: DispatchQueue
    private let capacity: Int
    private let state = Mutex(State())

    /// The most publications that wait for a consumer that precedes viewers: their bytes are in memory for it alone.
    private static let precedingCapacity = 8
    /// The most parts that wait for a consumer: viewers need their bytes in memory as well, for about as long.
    private static let partCapacity = 256

    private struct Item {
        var publication: Publication
        /// The place of the publication; nil for a part.
        var position: StreamPosition?
        /// A semaphore that is signalled when the item is taken.
        var done: DispatchSemaphore?
        var isSlot: Bool { publication.kind == .slots }
        var isPart: Bool { publication.kind == .part }
        var counts: Bool { publication.kind != .window && !isPart }
    }

    private struct State {
        var waiting: [Item] = []
        /// The number of publications that the consumer is not done with, except parts, and windows, whose bytes are in
        /// memory anyway.
        var count = 0
        /// The number of parts that it is not done with.
        var parts = 0
        /// The number of publications of slots that it is not done with.
        var slots = 0
        /// True if the queue has been told to run, and has not come to its end.
        var isRunning = false
        var isClosed = false
        /// The newest publication that there was no room for, until a snapshot has brought it.
        var missed: StreamPosition?
        /// True if a snapshot may have brought it since the last check.
        var mayHaveMissed = false
        /// The newest publication that a snapshot has brought.
        var seen = StreamPosition.start
        /// True if the failed work is to be tried again now.
        var isDue = false
        /// True if the consumer wants a stored feed to wait.
        var isBlocked = false
        /// Counts the calls of the consumer, so that only the newest of several retries runs.
        var calls = 0
        /// The semaphores that are signalled when nothing is left to do.
        var idle: [DispatchSemaphore] = []

        var isIdle: Bool { !isRunning && !isBlocked || isClosed }

        mutating func wakeIfIdle() {
            guard isIdle else { return }
            for waiter in idle { waiter.signal() }
            idle = []
        }
    }

    /// The fate of a submitted publication.
    enum Admission: Hashable, Sendable {
        /// The consumer does not take this publication, or takes none any more.
        case refused
        /// There is no room.
        case full
        /// The slot was accepted, and waits for slots before it.
        case behind
        case accepted
    }

    /// - Parameters:
    ///   - consumer: A consumer that does not observe.
    ///   - snapshot: Makes a snapshot of all that is served; nil if there is nothing any more.
    init(_ consumer: any PublicationConsumer, snapshot: @escaping @Sendable () -> StreamSnapshot?) {
        self.consumer = consumer
        self.snapshot = snapshot
        switch consumer.policy {
        case .precedes: capacity = Self.precedingCapacity
        case .follows(let backlog): capacity = backlog
        case .paces, .observes: capacity = .max
        }
        let isUrgent = if case .precedes = consumer.policy { true } else { false }
        queue = DispatchQueue(label: "stream.\(consumer.name)", qos: isUrgent ? .userInitiated : .default)
    }

    /// Appends a publication; it never waits.
    ///
    /// - Parameters:
    ///   - publication: The next publication.
    ///   - position: The place of the publication; nil for a part.
    ///   - done: A semaphore that is signalled when the publication is taken, if it is accepted.
    /// - Returns: The fate of the publication.
    @discardableResult
    func submit(
        _ publication: Publication,
        at position: StreamPosition?,
        done: DispatchSemaphore? = nil
    ) -> Admission {
        guard consumer.interest.contains(publication.kind) else { return .refused }
        let item = Item(publication: publication, position: position, done: done)
        let (admission, starts) = state.withLock { state -> (Admission, Bool) in
            if state.isClosed { return (.refused, false) }
            // Its slot brings the bytes of a missed part.
            state.mayHaveMissed = true
            guard item.isPart ? state.parts < Self.partCapacity : state.count < capacity || !item.counts else {
                if let position { state.missed = position }
                return (.full, false)
            }
            let isBehind = item.isSlot && state.slots > 0
            state.waiting.append(item)
            if item.isSlot { state.slots += 1 }
            if item.isPart { state.parts += 1 }
            if item.counts { state.count += 1 }
            defer { state.isRunning = true }
            return (isBehind ? .behind : .accepted, !state.isRunning)
        }
        if starts { queue.async { self.run() } }
        return admission
    }

    /// Returns once there is nothing left to do, or at a deadline.
    ///
    /// - Returns: False at the deadline.
    @discardableResult
    func waitUntilIdle(until deadline: DispatchTime = .distantFuture) -> Bool {
        let idle = state.withLock { state -> DispatchSemaphore? in
            if state.isIdle { return nil }
            let idle = DispatchSemaphore(value: 0)
            state.idle.append(idle)
            return idle
        }
        return idle.map { $0.wait(timeout: deadline) == .success } ?? true
    }

    /// Tries the failed work once more, and returns once there is nothing left to do, or at a deadline.
    func finish(until deadline: DispatchTime) {
        let (isClosed, starts) = state.withLock { state in
            if state.isClosed { return (true, false) }
            state.isDue = true
            defer { state.isRunning = true }
            return (false, !state.isRunning)
        }
        if starts { queue.async { self.run() } }
        if !isClosed { waitUntilIdle(until: deadline) }
    }

    /// Takes nothing any more, and drops the waiting publications.
    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            state.wakeIfIdle()
            defer { state.waiting = [] }
            return state.waiting
        }
        for item in dropped { item.done?.signal() }
    }

    /// Hands batches to the consumer until there is nothing to do; on the queue.
    private func run() {
        while let items = begin() { end(items, consumer.take(batch(of: items))) }
    }

    /// - Returns: The publications that the consumer is to take, empty for a retry alone; nil if there is nothing to
    ///   do.
    private func begin() -> [Item]? {
        state.withLock { state in
            let hasMissed = state.missed != nil && state.mayHaveMissed
            guard !state.isClosed, !state.waiting.isEmpty || state.isDue || hasMissed else {
                state.isRunning = false
                state.wakeIfIdle()
                return nil
            }
            state.isDue = false
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Returns the batch for the consumer: the items, and a snapshot in place of those that it has missed.
    private func batch(of items: [Item]) -> [Publication] {
        let (missed, seen) = state.withLock { state in
            state.mayHaveMissed = false
            return (state.missed, state.seen)
        }
        let items = items.filter { item in item.position.map { $0 > seen } ?? true }
        // A slot that precedes viewers may not be served yet: then the next one comes with a snapshot.
        guard let missed, let snapshot = snapshot(), snapshot.position >= missed else {
            return items.map(\.publication)
        }
        state.withLock { state in
            if state.missed == missed { state.missed = nil }
            state.seen = snapshot.position
        }
        let split = items.firstIndex { ($0.position ?? .start) > snapshot.position } ?? items.endIndex
        return items[..<split].map(\.publication) + [.window(snapshot)] + items[split...].map(\.publication)
    }

    private func end(_ items: [Item], _ result: ConsumerResult) {
        let call = state.withLock { state in
            state.count -= items.count(where: \.counts)
            state.parts -= items.count(where: \.isPart)
            state.slots -= items.count(where: \.isSlot)
            state.isBlocked = if case .blocked = result { true } else { false }
            state.calls += 1
            return state.calls
        }
        for item in items { item.done?.signal() }
        switch result {
        case .done: break
        case .again(let delay), .blocked(let delay):
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.nanoseconds))) { [weak self] in self?.retry(call)
            }
        }
    }

    /// Tries the failed work again, unless it was tried since; on the queue.
    private func retry(_ call: Int) {
        let starts = state.withLock { state in
            guard state.calls == call, !state.isRunning, !state.isClosed else { return false }
            state.isDue = true
            state.isRunning = true
            return true
        }
        if starts { run() }
    }
}
