import Synchronization

/// The activity of a connection: a request under way, or the time since which it is idle.
///
/// The connection's event loop writes it at every request; the search for an idle connection reads it.
final class ConnectionActivity: Sendable {
    /// Counts the ends of requests of all connections, and so their order.
    final class Clock: Sendable {
        private let count = Atomic<UInt64>(0)

        fileprivate func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
    }

    private let clock: Clock
    /// Twice the time at which it became idle, plus one while it has a request.
    private let state: Atomic<UInt64>

    /// Begins idle: no request has come yet.
    init(_ clock: Clock) {
        self.clock = clock
        state = Atomic(clock.next() << 1)
    }

    var isAsked: Bool { state.load(ordering: .relaxed) & 1 == 1 }

    /// The lower, the longer it has been idle.
    var idleSince: UInt64 { state.load(ordering: .relaxed) >> 1 }

    /// Notes that a request has begun.
    func began() { state.store(state.load(ordering: .relaxed) | 1, ordering: .relaxed) }

    /// Notes that no request is pending.
    func becameIdle() { if isAsked { restart() } }

    /// Becomes the youngest of the idle connections.
    func restart() { state.store(clock.next() << 1, ordering: .relaxed) }
}
