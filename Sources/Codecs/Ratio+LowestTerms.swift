import MediaCore

extension Ratio {
    /// The ratio of two positive integers without their common divisors.
    init(lowestTerms numerator: Int, _ denominator: Int) {
        var (divisor, rest) = (numerator, denominator)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.init(numerator / divisor, denominator / divisor)
    }
}
