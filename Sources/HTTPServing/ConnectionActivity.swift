import Synchronization

/// Says whether a connection is asked for something, and since when it is not.
///
/// The connection's event loop writes it at every request; whoever looks for one that may give way reads it.
final class ConnectionActivity: Sendable {
    /// Counts the ends of requests of all connections, and so their order.
    final class Clock: Sendable {
        private let count = Atomic<UInt64>(0)

        fileprivate func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
    }

    private let clock: Clock
    /// Twice the time since when it is idle, or was before the request that it is asked; and one more while it is asked.
    private let state: Atomic<UInt64>

    /// It is idle, since nothing has been asked yet.
    init(_ clock: Clock) {
        self.clock = clock
        state = Atomic(clock.next() << 1)
    }

    var isAsked: Bool { state.load(ordering: .relaxed) & 1 == 1 }

    /// The lower, the longer it has been idle.
    var idleSince: UInt64 { state.load(ordering: .relaxed) >> 1 }

    /// Takes note that a request has begun.
    func began() { state.store(state.load(ordering: .relaxed) | 1, ordering: .relaxed) }

    /// Nothing is asked any more.
    func becameIdle() { if isAsked { restart() } }

    /// It is the youngest of those that are idle.
    func restart() { state.store(clock.next() << 1, ordering: .relaxed) }
}
