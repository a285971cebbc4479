import MediaCore
import Synchronization

/// The newest events of all channels, each with a number that only rises.
package final class EventLog: Sendable {
    /// An event and its place among all that there were.
    package struct Entry: Hashable, Sendable {
        /// The number, one more than that of the entry before.
        package var number: Int
        package var event: ChannelEvent

        package init(number: Int, event: ChannelEvent) {
            (self.number, self.event) = (number, event)
        }
    }

    private struct State {
        var origin: Int
        var entries: [Entry] = []
        var newest: Int
        var counts: [Count: Int] = [:]

        func entries(after number: Int) -> [Entry] {
            Array(entries[entries.partitioningIndex { $0.number > number }...])
        }
    }

    /// The key that events are counted by.
    package struct Count: Hashable, Sendable {
        package var channel: String
        package var kind: ChannelEvent.Kind

        package init(channel: String, kind: ChannelEvent.Kind) {
            self.channel = channel
            self.kind = kind
        }
    }

    private let capacity: Int
    private let state: Mutex<State>
    private let onEvent: @Sendable (ChannelEvent) -> Void

    /// - Parameters:
    ///   - origin: The number before the first. If every process counts from a higher one, such as the milliseconds of
    ///     UTC at its start, readers of an earlier process's events miss none of this one.
    ///   - capacity: The least number of entries that are kept.
    ///   - onEvent: Called with each event, on the thread that appends it.
    package init(
        after origin: Int = 0,
        capacity: Int = 1000,
        onEvent: @escaping @Sendable (ChannelEvent) -> Void = { _ in }
    ) {
        state = Mutex(State(origin: origin, newest: origin))
        self.capacity = capacity
        self.onEvent = onEvent
    }

    package func append(_ event: ChannelEvent) {
        state.withLock { state in
            state.newest += 1
            state.counts[Count(channel: event.channel, kind: event.kind), default: 0] += 1
            // Trimmed once in a while, so that appending costs the same however many are kept.
            if state.entries.count >= capacity * 2 { state.entries.removeFirst(capacity) }
            state.entries.append(Entry(number: state.newest, event: event))
        }
        onEvent(event)
    }

    /// Counts on from a number of an earlier process, if that is higher; where there are entries already, it does not.
    package func begin(after number: Int) {
        state.withLock { state in
            guard state.newest == state.origin, number > state.origin else { return }
            (state.origin, state.newest) = (number, number)
        }
    }

    /// The number before that of the first entry there was.
    package var origin: Int { state.withLock { $0.origin } }

    /// The number of the newest entry; ``origin`` while there is none.
    package var newest: Int { state.withLock { $0.newest } }

    /// The number of the oldest entry that is kept; that of the next one while there is none.
    package var oldest: Int { state.withLock { $0.entries.first?.number ?? $0.newest + 1 } }

    /// The number of events of each kind since the start, including those that are not kept any more.
    package var counts: [Count: Int] { state.withLock { $0.counts } }

    /// The entries after a number, oldest first.
    package func entries(after number: Int = 0) -> [Entry] {
        state.withLock { $0.entries(after: number) }
    }

    /// The events that a reader of some kinds has before it.
    package struct Backlog: Hashable, Sendable {
        /// The entries that are kept, oldest first.
        package var entries: [Entry]
        /// The number of events since the start, including those that are not kept any more.
        package var total: Int
        /// The number of the oldest kept entry of any kind.
        package var oldest: Int
        /// The number of the newest entry.
        package var newest: Int
    }

    /// The entries of some kinds after a number, with the numbers that show a reader if it has missed any.
    ///
    /// - Parameters:
    ///   - number: The number that the reader has got to.
    ///   - kinds: None stands for all.
    /// - Returns: Entries and numbers as they were at one moment.
    package func backlog(after number: Int, of kinds: Set<ChannelEvent.Kind>) -> Backlog {
        state.withLock { state in
            let isWanted = { (kind: ChannelEvent.Kind) in kinds.isEmpty || kinds.contains(kind) }
            return Backlog(
                entries: state.entries(after: number).filter { isWanted($0.event.kind) },
                total: state.counts.reduce(0) { isWanted($1.key.kind) ? $0 + $1.value : $0 },
                oldest: state.entries.first?.number ?? state.newest + 1,
                newest: state.newest
            )
        }
    }
}
