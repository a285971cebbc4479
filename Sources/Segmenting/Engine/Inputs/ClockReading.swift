package import MediaCore

/// When something happened.
package struct ClockReading: Hashable, Sendable {
    /// As the channel counts it: never set, only slewed.
    package var utc: MediaTime
    /// As this machine's clock has it.
    package var wallClock: MediaTime

    package init(utc: MediaTime, wallClock: MediaTime) {
        self.utc = utc
        self.wallClock = wallClock
    }
}
