import MediaCore

extension MediaTime {
    /// Seconds to the millisecond, as an operator writes them: `4`, `3.84`.
    var decimalSeconds: String {
        let (seconds, fraction) = abs(milliseconds).quotientAndRemainder(dividingBy: 1000)
        let sign = milliseconds < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(seconds)" }
        let digits = String(1000 + fraction).dropFirst()
        return "\(sign)\(seconds).\(digits[...(digits.lastIndex { $0 != "0" } ?? digits.startIndex)])"
    }

    /// The same with its unit: `4 s`.
    var text: String { "\(decimalSeconds) s" }
}
