import Synchronization

/// Who wants to know when the playlists of a channel have got somewhere.
final class PlaylistWaiters: Sendable {
    /// Nobody has to be remembered for ever: beyond it, who comes is told to come back.
    static let capacity = 4096

    private struct Entry {
        var condition: PlaylistCondition
        var waiter: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.entries.count } }

    /// - Returns: What ``remove(_:)`` takes; nil where there are too many already.
    func add(_ condition: PlaylistCondition, _ waiter: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.entries.count < Self.capacity else { return nil }
            state.next += 1
            state.entries[state.next] = Entry(condition: condition, waiter: waiter)
            return state.next
        }
    }

    /// - Returns: The waiter, if it has not been called; it is not called any more.
    @discardableResult
    func remove(_ number: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.entries.removeValue(forKey: number)?.waiter }
    }

    /// Calls those whose condition is met, each once.
    func call(where isMet: (PlaylistCondition) -> Bool) {
        let due = state.withLock { state in
            let due = state.entries.filter { isMet($0.value.condition) }
            for number in due.keys { state.entries[number] = nil }
            return due
        }
        for entry in due.values { entry.waiter() }
    }
}
