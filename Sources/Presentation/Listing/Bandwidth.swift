/// Bits a second of a stream (RFC 8216bis § 4.4.6.2).
package struct Bandwidth: Hashable, Sendable {
    /// BANDWIDTH: the bit rate of the heaviest segment.
    package var peak: Int
    /// AVERAGE-BANDWIDTH: the bit rate of all segments together.
    package var average: Int

    package init(peak: Int, average: Int) {
        self.peak = peak
        self.average = average
    }

    /// The values rounded up to two significant digits: a slightly higher rate does not exceed them.
    var declared: Bandwidth {
        Bandwidth(peak: Self.roundedUp(peak), average: Self.roundedUp(average))
    }

    private static func roundedUp(_ value: Int) -> Int {
        var unit = 1
        while value / unit >= 100 { unit *= 10 }
        return (value + unit - 1) / unit * unit
    }

    static func + (lhs: Self, rhs: Self) -> Self {
        Bandwidth(peak: lhs.peak + rhs.peak, average: lhs.average + rhs.average)
    }

    /// The heavier of both in each respect.
    static func heaviest(_ lhs: Self, _ rhs: Self) -> Self {
        Bandwidth(peak: max(lhs.peak, rhs.peak), average: max(lhs.average, rhs.average))
    }
}
