package import MediaCore

/// The time of an event, on two clocks.
package struct ClockReading: Hashable, Sendable {
    /// The time in UTC as the channel counts it: never set, only slewed.
    package var utc: MediaTime
    /// The time by this machine's clock.
    package var wallClock: MediaTime

    package init(utc: MediaTime, wallClock: MediaTime) {
        self.utc = utc
        self.wallClock = wallClock
    }
}
