internal import FoundationEssentials

/// The machine's clock, read once and then carried on by the monotonic clock.
///
/// NTP disciplines the rate of both, so they stay together. A step of the wall clock in mid-stream would repeat or skip
/// slots, and is not followed. Nor is the time in which the machine slept.
package struct SystemClock: UTCClock {
    private let start = Self.wallClock
    private let reference = SuspendingClock.now

    package init() {}

    package var now: MediaTime { start + MediaTime(reference.duration(to: .now)) }

    package var wallClock: MediaTime { Self.wallClock }

    /// Seconds since 1970 in a `Double` are exact to a quarter of a microsecond, and a tick is eleven.
    private static var wallClock: MediaTime {
        MediaTime(Int64(Date.now.timeIntervalSince1970 * 1_000_000), timescale: 1_000_000)
    }
}
