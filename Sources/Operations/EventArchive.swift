/// An archive that keeps events for longer than memory does, and beyond the process.
package protocol EventArchive: Sendable {
    /// Reads a page of events.
    ///
    /// - Returns: The events, oldest first; nil if they cannot be read now.
    func entries(_ search: EventSearch) async -> [EventLog.Entry]?

    /// The number that a reader has got to that keeps no record itself.
    ///
    /// - Parameter reader: The name that it is known by.
    /// - Returns: The number of an event; nil if unknown.
    func position(of reader: String) async -> Int?

    /// Keeps how far a reader has got, where that can be kept.
    func keep(position: Int, of reader: String)

    /// The health of the archive.
    var health: EventArchiveHealth { get }

    /// True if there is a place to keep events in; without one it does nothing.
    var hasPlace: Bool { get }
}

extension EventArchive {
    package var hasPlace: Bool { true }
}

/// The health of an archive of events.
package struct EventArchiveHealth: Hashable, Sendable {
    /// The reason why events are not kept at the moment, in one phrase; nil while they are.
    package var problem: String?
    /// Events that were never kept, since the start.
    package var unkept: Int
    /// Bytes that it takes.
    package var bytes: Int

    package init(problem: String? = nil, unkept: Int = 0, bytes: Int = 0) {
        (self.problem, self.unkept, self.bytes) = (problem, unkept, bytes)
    }
}
