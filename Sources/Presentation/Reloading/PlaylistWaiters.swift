import Playlists
import Synchronization

/// Remembers the requests that wait for the playlists of a channel, by their condition.
final class PlaylistWaiters: Sendable {
    /// The most waiters; beyond it, requests are refused with 503.
    static let capacity = 4096

    /// A group of waiters that are checked together.
    enum Group: Hashable, Sendable {
        case start
        case rendition(RenditionID)
    }

    private struct Entry {
        var condition: PlaylistCondition
        var waiter: @Sendable () -> Void
    }

    private struct State {
        var groups: [Group: [Int: Entry]] = [:]
        /// The group of each number.
        var members: [Int: Group] = [:]
        var next = 0

        mutating func remove(_ number: Int) -> Entry? {
            guard let group = members.removeValue(forKey: number) else { return nil }
            let entry = groups[group]?.removeValue(forKey: number)
            if groups[group]?.isEmpty == true { groups[group] = nil }
            return entry
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.members.count } }

    /// - Returns: The number that ``remove(_:)`` takes; nil if there are too many waiters already.
    func add(_ condition: PlaylistCondition, _ waiter: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.members.count < Self.capacity else { return nil }
            state.next += 1
            state.members[state.next] = condition.group
            state.groups[condition.group, default: [:]][state.next] = Entry(condition: condition, waiter: waiter)
            return state.next
        }
    }

    /// - Returns: The waiter, if it has not been called; it is not called any more.
    @discardableResult
    func remove(_ number: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.remove(number)?.waiter }
    }

    /// Calls the waiters whose condition is met, each once.
    ///
    /// - Parameters:
    ///   - group: The group to check; nil for all.
    ///   - isMet: Returns true if there is nothing to wait for any more.
    func call(_ group: Group? = nil, where isMet: (PlaylistCondition) -> Bool) {
        let due = state.withLock { state in
            let groups = group.map { [$0] } ?? Array(state.groups.keys)
            let numbers = groups.flatMap { group in
                (state.groups[group] ?? [:]).filter { isMet($0.value.condition) }.keys
            }
            return numbers.compactMap { state.remove($0)?.waiter }
        }
        for waiter in due { waiter() }
    }
}

extension PlaylistCondition {
    fileprivate var group: PlaylistWaiters.Group {
        switch self {
        case .startable: .start
        case .reaches(let id, _): .rendition(id)
        }
    }
}
