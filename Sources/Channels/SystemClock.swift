import Glibc
package import MediaCore

/// UTC as a channel sees it.
package protocol UTCClock: Sendable {
    /// Time since 1970 without leap seconds.
    var now: MediaTime { get }
    /// What this machine's clock says, which may have been set since ``now`` began to count.
    var wallClock: MediaTime { get }
}

extension UTCClock {
    package var wallClock: MediaTime { now }
}

/// This machine's clock, read once and then carried on by the monotonic clock.
///
/// NTP disciplines the rate of both, so they stay together; a step of the wall clock in mid-stream, which would repeat
/// or skip slots, is not followed; nor is the time in which the machine slept.
package struct SystemClock: UTCClock {
    private let offset: Int64

    package init() {
        offset = Self.nanoseconds(CLOCK_REALTIME) - Self.nanoseconds(CLOCK_MONOTONIC)
    }

    package var now: MediaTime {
        MediaTime(Self.nanoseconds(CLOCK_MONOTONIC) + offset, timescale: 1_000_000_000)
    }

    package var wallClock: MediaTime { MediaTime(Self.nanoseconds(CLOCK_REALTIME), timescale: 1_000_000_000) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
