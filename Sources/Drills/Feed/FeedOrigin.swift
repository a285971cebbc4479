import Glibc
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
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let fraction = MediaTime(Int64(time.tv_nsec), timescale: 1_000_000_000)
        return FeedOrigin(instant: .now, utc: MediaTime(seconds: Int64(time.tv_sec)) + fraction)
    }

    /// Since the start of the drill.
    package var elapsed: MediaTime {
        let (seconds, attoseconds) = (ContinuousClock.now - instant).components
        return MediaTime(seconds: seconds) + MediaTime(attoseconds / 1_000_000_000, timescale: 1_000_000_000)
    }

    /// When that is.
    func instant(at time: MediaTime) -> ContinuousClock.Instant {
        instant + .nanoseconds(time.ticks * 100_000 / 9)
    }
}
