/// A page of the events that there were.
package struct EventSearch: Hashable, Sendable {
    package var filter = EventFilter()
    /// The number after which events begin, the oldest first; nil for the newest.
    package var after: Int?
    /// The number that events have to come before.
    package var before: Int?
    /// The most entries of a page.
    package var limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    /// The page, of entries in their order.
    package func page(of entries: some BidirectionalCollection<EventLog.Entry>) -> [EventLog.Entry] {
        if after == nil { return entries.lazy.reversed().filter(matches).prefix(limit).reversed() }
        return Array(entries.lazy.filter(matches).prefix(limit))
    }

    private func matches(_ entry: EventLog.Entry) -> Bool {
        if let after, entry.number <= after { return false }
        if let before, entry.number >= before { return false }
        return filter.matches(entry.event)
    }
}
