package import MediaCore

/// Notices that this machine's clock is set while the program runs.
package struct ClockWatch: Sendable {
    /// The distance that was reported last.
    private var known = MediaTime.zero

    /// The smallest distance that is reported.
    private static let tolerance = MediaTime(seconds: 1)

    package init() {}

    /// True if the two clocks agreed when they were compared last.
    package var agrees: Bool { abs(known.ticks) <= Self.tolerance.ticks }

    /// Compares the two clocks; called once in a while.
    ///
    /// - Parameters:
    ///   - now: The time in UTC, as the channel counts it.
    ///   - wallClock: The time in UTC, by this machine's clock.
    /// - Returns: A report in one sentence; nil if nothing has changed.
    package mutating func observe(_ now: MediaTime, wallClock: MediaTime) -> String? {
        let step = wallClock - now
        guard abs((step - known).ticks) > Self.tolerance.ticks else { return nil }
        known = step
        if abs(step.ticks) <= Self.tolerance.ticks { return "The machine's clock agrees with the channel's again." }
        let side = step > .zero ? "ahead of" : "behind"
        let difference = MediaTime(ticks: abs(step.ticks)).milliseconds
        return "The machine's clock was set, or the machine slept: it is \(difference) ms \(side) the channel's, "
            + "which continues unchanged until you restart the packager."
    }
}
