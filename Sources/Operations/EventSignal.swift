import Synchronization

/// Wakes followers of an `EventLog`: it carries no events, and only says that there may be more.
///
/// So a slow follower only costs its place in the log.
package final class EventSignal: Sendable {
    private struct Followers {
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let followers = Mutex(Followers())

    package init() {}

    /// Signals that an event was appended.
    package func fire() {
        for continuation in followers.withLock({ Array($0.continuations.values) }) { continuation.yield() }
    }

    /// Ends the signal: readers stop following the log.
    package func finish() {
        let continuations = followers.withLock { followers in
            followers.isFinished = true
            return Array(followers.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    /// The number of followers.
    package var followerCount: Int { followers.withLock { $0.continuations.count } }

    /// Begins to follow, until the continuation or the signal is finished, or the stream is released.
    package func follow() -> (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) {
        // Several pending signals wake the reader once.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, isFinished) = followers.withLock { followers in
            followers.next += 1
            followers.continuations[followers.next] = continuation
            return (followers.next, followers.isFinished)
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.followers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        if isFinished { continuation.finish() }
        return (stream, continuation)
    }
}
