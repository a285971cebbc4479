import Synchronization

/// The newest events of all channels, each with a number that only rises.
package final class EventLog: Sendable {
    /// An event and its place among all that there were.
    package struct Entry: Hashable, Sendable {
        /// One more than that of the entry before.
        package var number: Int
        package var event: ChannelEvent
    }

    private struct State {
        var entries: [Entry] = []
        var newest: Int
        var counts: [Count: Int] = [:]
    }

    /// What events are counted by.
    package struct Count: Hashable, Sendable {
        package var channel: String
        package var kind: ChannelEvent.Kind

        package init(channel: String, kind: ChannelEvent.Kind) {
            self.channel = channel
            self.kind = kind
        }
    }

    /// The number before that of the first entry there was.
    package let origin: Int
    private let capacity: Int
    private let state: Mutex<State>
    private let onEvent: @Sendable (ChannelEvent) -> Void

    /// - Parameters:
    ///   - origin: The number before the first. Where every process counts from a higher one, such as the milliseconds
    ///     of UTC at its start, whoever has read what an earlier one had to say misses nothing of this one.
    ///   - capacity: How many are kept at least.
    ///   - onEvent: Told of each, on the thread that appends it.
    package init(
        after origin: Int = 0,
        capacity: Int = 1000,
        onEvent: @escaping @Sendable (ChannelEvent) -> Void = { _ in }
    ) {
        self.origin = origin
        state = Mutex(State(newest: origin))
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

    /// The number of the newest entry; ``origin`` while there is none.
    package var newest: Int { state.withLock { $0.newest } }

    /// How many there were since the start, those that are not kept any more among them.
    package var counts: [Count: Int] { state.withLock { $0.counts } }

    /// Those after a number, oldest first.
    package func entries(after number: Int = 0) -> [Entry] {
        state.withLock { state in
            let first = state.entries.partitioningIndex { $0.number > number }
            return Array(state.entries[first...])
        }
    }
}

extension Array {
    /// The first index whose element fulfils what all after it fulfil, too.
    fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
