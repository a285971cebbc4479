/// All events that there still are: those in memory, and those before them in an archive, where there is one.
package struct EventHistory: Sendable {
    package let log: EventLog
    private let kept: (any EventArchive)?

    package init(_ log: EventLog, archive: (any EventArchive)? = nil) {
        self.log = log
        kept = archive
    }

    /// The archive; nil while there is no place for one.
    package var archive: (any EventArchive)? {
        guard let kept, kept.hasPlace else { return nil }
        return kept
    }

    /// Reads a page of events.
    ///
    /// - Returns: The events, oldest first, and false if the archive was needed and did not answer.
    package func page(_ search: EventSearch) async -> (entries: [EventLog.Entry], isComplete: Bool) {
        let recent = log.entries()
        let page = search.page(of: recent)
        guard let archive else { return (page, true) }
        let first = recent.first?.number ?? log.newest + 1
        // Memory has all numbers of this process from its first one on.
        let isInMemory = search.after.map { $0 >= first - 1 } ?? (page.count == search.limit)
        if isInMemory { return (page, true) }
        var older = search
        older.before = min(search.before ?? first, first)
        guard let kept = await archive.entries(older) else { return (page, false) }
        return (search.page(of: kept + page), true)
    }

    /// Returns the number after which a reader continues that has read up to `number`.
    ///
    /// - Returns: The number itself, if the events after it are known. Otherwise the start of this process: the number
    ///   is of an earlier process that has left nothing, or of a clock that was set back since.
    package func position(_ number: Int) -> Int {
        let first = archive == nil ? log.origin : 0
        return (first...log.newest).contains(number) ? number : log.origin
    }

    /// True if no event between a number and the newest is known to be missing.
    package func reaches(_ number: Int) -> Bool { archive != nil || number >= log.oldest - 1 }
}
