package import MediaCore

/// What becomes of what somebody wants on air.
package enum ScheduleOutcome: Hashable, Sendable {
    /// Viewers have it from this segment on; its time, in UTC, may be later than what was asked for.
    case slot(MediaSequenceNumber, at: MediaTime)
    /// What nobody was told of never was.
    case withdrawn
    case refused(ScheduleRefusal)

    package var isRefusal: Bool { if case .refused = self { true } else { false } }
}
