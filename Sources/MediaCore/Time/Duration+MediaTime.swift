extension Duration {
    /// Nanoseconds, rounded towards zero; clamped, which 292 years are too long for.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isTooMuch ? (seconds < 0 ? .min : .max) : sum
    }

    /// Rounded towards zero to the nanosecond.
    package init(_ time: MediaTime) {
        let (seconds, ticks) = time.ticks.quotientAndRemainder(dividingBy: MediaTime.timescale)
        self = .seconds(seconds) + .nanoseconds(ticks * 100_000 / 9)
    }
}

extension MediaTime {
    /// The nearest tick.
    package init(_ duration: Duration) {
        self.init(duration.nanoseconds, timescale: 1_000_000_000)
    }
}
