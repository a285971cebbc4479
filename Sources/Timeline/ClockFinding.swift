package import MediaCore

/// A finding about the clock of a live input that is placed by its arrival.
package enum ClockFinding: Hashable, Sendable {
    /// The clock begins.
    ///
    /// It shares its clock with some inputs, behind which it lies by `distance`, and not with others.
    case began(sharing: Set<InputPosition>, distance: MediaTime, others: Set<InputPosition>)
    /// The input continues at its place in another timeline of the same feed, with its corrections.
    case continued(shift: MediaTime, correction: MediaTime)
    /// The timestamps of a track lie so far ahead of those of the others at the same arrival: it counts a clock of its own.
    case apart(track: InputTrackIndex, distance: MediaTime)
    /// UTC was moved so slowly that no player sees it.
    case slewed(MediaTime)
    /// UTC was moved at once: by less than zero if the feed was ahead of real time.
    case reanchored(MediaTime)
}
