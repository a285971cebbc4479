/// A ratio of two positive integers.
package struct Ratio: Hashable, Sendable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The greatest frame rate that is believed without a promise.
    private static let highestFrameRate = 300.0

    /// The ratio as frames a second; nil if it is implausible.
    ///
    /// With frames of different durations, many headers state only the unit of their timestamps: 90000 a second.
    package var plausibleFrameRate: Ratio? {
        Double(numerator) / Double(denominator) <= Self.highestFrameRate ? self : nil
    }
}
