package import MediaCore

/// The start of a drill, from which all its times count: one for all senders of a drill.
package struct FeedOrigin: Hashable, Sendable {
    package var instant: ContinuousClock.Instant
    /// What UTC was then.
    package var utc: MediaTime

    package init(instant: ContinuousClock.Instant, utc: MediaTime) {
        self.instant = instant
        self.utc = utc
    }

    /// A drill that starts now.
    package static func now() -> FeedOrigin {
        FeedOrigin(instant: .now, utc: SystemClock().now)
    }

    /// Since the start of the drill.
    package var elapsed: MediaTime { MediaTime(ContinuousClock.now - instant) }

    /// When that is.
    func instant(at time: MediaTime) -> ContinuousClock.Instant {
        instant + Duration(time)
    }
}
