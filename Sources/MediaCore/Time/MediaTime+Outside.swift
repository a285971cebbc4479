/// Times that documents, requests and peers say.
extension MediaTime {
    /// The points in time that something may happen at: from 1970 on for some 6,000 years, so that no sum of a few
    /// overflows.
    package static let eventTimes = MediaTime.zero...MediaTime(ticks: 1 << 54)

    /// The nearest millisecond to a number of seconds; nil beyond some 6,000 years, and for NaN.
    package init?(decimalSeconds seconds: Double) {
        guard abs(seconds) <= Self.eventTimes.upperBound.seconds else { return nil }
        self.init(milliseconds: Int64((seconds * 1000).rounded()))
    }
}
