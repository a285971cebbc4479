/// UTC as a channel sees it.
package protocol UTCClock: Sendable {
    /// Time since 1970 without leap seconds.
    var now: MediaTime { get }
    /// The time on this machine's clock, which may have been set since ``now`` began to count.
    var wallClock: MediaTime { get }
}

extension UTCClock {
    package var wallClock: MediaTime { now }
}
