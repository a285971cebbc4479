package import MediaCore

/// What becomes of what somebody wants on air.
package enum ScheduleOutcome: Hashable, Sendable {
    /// Viewers have it from this segment on; its time, in UTC, may be later than what was asked for.
    case slot(MediaSequenceNumber, at: MediaTime)
    case refused(ScheduleRefusal)
}
