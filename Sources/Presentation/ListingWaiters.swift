import Synchronization

/// Who wants to know when the playlists of a channel are long enough to begin with.
final class ListingWaiters: Sendable {
    /// Nobody has to be remembered for ever: beyond it, who comes is told to come back.
    private static let capacity = 4096

    private struct State {
        var waiters: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.waiters.count } }

    /// - Returns: What ``remove(_:)`` takes; nil where there are too many already.
    func add(_ waiter: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.waiters.count < Self.capacity else { return nil }
            state.next += 1
            state.waiters[state.next] = waiter
            return state.next
        }
    }

    /// - Returns: The waiter, if it has not been called; it is not called any more.
    @discardableResult
    func remove(_ number: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.waiters.removeValue(forKey: number) }
    }

    /// Calls all of them, each once.
    func callAll() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter() }
    }
}
