extension MediaTime {
    /// Seconds to the millisecond, as an operator writes them: `4`, `3.84`.
    package var decimalSeconds: String {
        let (seconds, fraction) = abs(milliseconds).quotientAndRemainder(dividingBy: 1000)
        let sign = milliseconds < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(seconds)" }
        let digits = String(1000 + fraction).dropFirst()
        return "\(sign)\(seconds).\(digits[...(digits.lastIndex { $0 != "0" } ?? digits.startIndex)])"
    }
}
