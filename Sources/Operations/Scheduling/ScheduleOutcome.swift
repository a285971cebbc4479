package import MediaCore

/// The outcome of an action that was posted for the schedule.
package enum ScheduleOutcome: Hashable, Sendable {
    /// Viewers have it from this segment on. Its time, in UTC, may be later than requested.
    case slot(MediaSequenceNumber, at: MediaTime)
    /// The action was deleted before any player got it.
    case withdrawn
    case refused(ScheduleRefusal)

    package var isRefusal: Bool { if case .refused = self { true } else { false } }
}
