import Glibc
import MediaCore

/// UTC, read once and carried on by the monotonic clock, so that it never steps while something is measured.
struct WallClock: Sendable {
    private let start: MediaTime
    private let reference = ContinuousClock.now

    init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        start = MediaTime(seconds: Int64(time.tv_sec)) + MediaTime(Int64(time.tv_nsec), timescale: 1_000_000_000)
    }

    /// Since 1970, without leap seconds.
    var now: MediaTime { start + MediaTime(reference.duration(to: .now)) }
}

extension MediaTime {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = MediaTime(seconds: seconds) + MediaTime(attoseconds / 1_000_000_000, timescale: 1_000_000_000)
    }
}
