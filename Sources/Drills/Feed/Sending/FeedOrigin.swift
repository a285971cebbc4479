import MediaCore

/// The start of a drill, from which all its times count: one for all senders of a drill.
struct FeedOrigin: Hashable, Sendable {
    var instant: ContinuousClock.Instant
    /// UTC at that instant.
    var utc: MediaTime

    /// A drill that starts now.
    static func now() -> FeedOrigin {
        FeedOrigin(instant: .now, utc: SystemClock().now)
    }

    /// The time since the start of the drill.
    var elapsed: MediaTime { MediaTime(ContinuousClock.now - instant) }

    /// The instant of a time since the start.
    func instant(at time: MediaTime) -> ContinuousClock.Instant {
        instant + Duration(time)
    }
}
