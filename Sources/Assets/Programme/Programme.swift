package import MediaCore

/// A programme, as far as the stream tells of it.
package struct Programme: Hashable, Sendable {
    /// The ID of its date range.
    package var id: String
    package var start: MediaTime
    /// The end that the stream has announced; nil while it has not.
    package var announcedEnd: MediaTime?
    /// The end that was expected at its start; nil if none was.
    package var plannedEnd: MediaTime?
    /// The start of the next programme of its kind; nil if none has begun.
    package var following: MediaTime?

    /// The time for which an announcement may follow a planned end: a show may be longer than planned.
    static let patience = MediaTime(seconds: 1_800)

    /// Returns its end, once nothing can change it any more.
    ///
    /// - Parameter recorded: The end of the recording, in UTC.
    /// - Returns: The announced end; without one the planned end, or the start of the next programme if that is earlier,
    ///   once that programme has begun or ``patience`` is over. Nil if it is not known yet.
    func end(recordedUntil recorded: MediaTime) -> MediaTime? {
        if let announcedEnd { return announcedEnd }
        guard let plannedEnd else { return nil }
        if let following, following <= recorded { return min(plannedEnd, following) }
        return recorded >= plannedEnd + Self.patience ? plannedEnd : nil
    }
}
