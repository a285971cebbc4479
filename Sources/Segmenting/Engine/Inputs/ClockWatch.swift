package import MediaCore

/// Notices where this machine's clock is set while the program runs.
package struct ClockWatch: Sendable {
    /// How far the clock was set when that was last told.
    private var known = MediaTime.zero

    /// What is less is not worth a word.
    private static let tolerance = MediaTime(seconds: 1)

    package init() {}

    /// Compares the two, once in a while.
    ///
    /// - Parameters:
    ///   - now: UTC as the channel counts it.
    ///   - wallClock: UTC as this machine's clock has it.
    /// - Returns: What has happened, in one sentence; nil if that is no news.
    package mutating func observe(_ now: MediaTime, wallClock: MediaTime) -> String? {
        let step = wallClock - now
        guard abs((step - known).ticks) > Self.tolerance.ticks else { return nil }
        known = step
        if abs(step.ticks) <= Self.tolerance.ticks { return "The machine's clock agrees with the channel's again." }
        let side = step > .zero ? "ahead of" : "behind"
        let difference = MediaTime(ticks: abs(step.ticks)).milliseconds
        return "The machine's clock was set, or the machine slept: it is \(difference) ms \(side) the channel's, "
            + "which goes on as it is until the program is started anew."
    }
}
