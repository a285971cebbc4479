/// A ratio of two positive integers.
package struct Ratio: Hashable, Sendable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }
}
