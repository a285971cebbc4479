import Dispatch
import MediaCore
import Synchronization

/// Hands publications to their consumers, each by its own policy.
///
///     1 precede   to all that precede viewers, and wait for the slowest, within one time for all, which is shorter
///                 for a slot that was told in parts
///     2 viewers   see it: ``Presentation``
///     3 follow    to those that observe, in the order in which they were added, and to the queues of those that follow
///
/// One thread at a time passes publications; parts may come beside them, from a thread for each rendition, and hardly
/// wait.
final class PublicationStream: Sendable {
    private struct Consumers {
        var observers: [any PublicationConsumer] = []
        var preceding: [ConsumerQueue] = []
        var following: [ConsumerQueue] = []

        var queues: [ConsumerQueue] { preceding + following }
    }

    private let consumers = Mutex(Consumers())

    /// The longest time that the end of a live stream waits for a consumer that follows.
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Adds a consumer, before anything is published.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, which gets all publications to come.
    ///   - first: The first of them.
    ///   - snapshot: Makes the snapshot that stands for publications that it misses.
    func add(
        _ consumer: any PublicationConsumer,
        first: StreamSnapshot,
        snapshot: @escaping @Sendable () -> StreamSnapshot?
    ) {
        let first = Publication.window(first)
        if consumer.policy == .observes {
            if consumer.interest.contains(.window) { _ = consumer.take([first]) }
            return consumers.withLock { $0.observers.append(consumer) }
        }
        let queue = ConsumerQueue(consumer, snapshot: snapshot)
        queue.submit(first, at: nil)
        consumers.withLock { consumers in
            if case .precedes = consumer.policy {
                consumers.preceding.append(queue)
            } else {
                consumers.following.append(queue)
            }
        }
    }

    /// Waits while a stored feed is ahead of the consumers that pace it.
    func waitForRoom() {
        for queue in consumers.withLock({ $0.following }) where queue.consumer.policy == .paces {
            queue.waitUntilIdle()
        }
    }

    /// Hands out slots that viewers do not have yet, and waits for the consumers that precede them.
    ///
    /// - Parameters:
    ///   - slots: The slots.
    ///   - position: The place of the publication.
    ///   - limit: The longest wait for slots that viewers have parts of; nil for others. A consumer is late for the
    ///     former only if it is not done with the last one.
    func precede(_ slots: SlotPublication, at position: StreamPosition, within limit: Duration? = nil) {
        let begin = DispatchTime.now()
        let handed = consumers.withLock { $0.preceding }.map { queue in
            let done = DispatchSemaphore(value: 0)
            return (queue, queue.submit(.slots(slots), at: position, done: done), done)
        }
        for (queue, admission, done) in handed {
            guard admission != .refused, case .precedes(let patience) = queue.consumer.policy else { continue }
            // A consumer that is not done with the last slot will not be done with this one in time.
            let wait = limit.map { min($0, patience) } ?? patience
            let deadline = begin + .nanoseconds(Int(wait.nanoseconds))
            let isDone = admission == .accepted && done.wait(timeout: deadline) == .success
            let isInTime = isDone || limit != nil && admission == .accepted
            queue.consumer.keepsUp(admission == .full ? .missed : isInTime ? .inTime : .late)
        }
    }

    /// Hands out a part that viewers do not have yet, and waits for the consumers that precede them.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - limit: The longest wait, which a disk that stands still takes of each part.
    func precede(_ part: PartPublication, within limit: Duration) {
        let deadline = DispatchTime.now() + .nanoseconds(Int(limit.nanoseconds))
        let handed = consumers.withLock { $0.preceding }.map { queue in
            let done = DispatchSemaphore(value: 0)
            return (queue.submit(.part(part), at: nil, done: done), done)
        }
        for (admission, done) in handed where admission == .accepted { _ = done.wait(timeout: deadline) }
    }

    /// Hands out a publication that viewers have.
    func follow(_ publication: Publication, at position: StreamPosition?) {
        let (observers, following) = consumers.withLock { ($0.observers, $0.following) }
        for consumer in observers where consumer.interest.contains(publication.kind) {
            _ = consumer.take([publication])
        }
        for queue in following {
            let admission = queue.submit(publication, at: position)
            guard publication.kind == .slots, admission != .refused else { continue }
            queue.consumer.keepsUp(admission == .full ? .missed : admission == .behind ? .late : .inTime)
        }
    }

    /// Hands out a publication that no viewer waits for, and that waits for no consumer.
    func publish(_ publication: Publication, at position: StreamPosition?) {
        submitToPreceding(publication, at: position)
        follow(publication, at: position)
    }

    /// Hands a publication to those that precede viewers, and does not wait.
    func submitToPreceding(_ publication: Publication, at position: StreamPosition?) {
        for queue in consumers.withLock({ $0.preceding }) { queue.submit(publication, at: position) }
    }

    /// Retries failed work, and returns once consumers have handled all publications.
    ///
    /// A live stream waits no longer than 5 s for a consumer that follows.
    func finish() {
        let end = DispatchTime.now() + Self.patience
        for queue in consumers.withLock({ $0.queues }) {
            let isPatient = if case .follows = queue.consumer.policy { false } else { true }
            queue.finish(until: isPatient ? .distantFuture : end)
        }
    }

    /// Finishes as ``finish()`` does; afterwards no consumer gets anything.
    func close() {
        finish()
        for queue in consumers.withLock({ $0.queues }) { queue.close() }
    }
}
