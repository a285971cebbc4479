extension [UInt8] {
    /// Bytes of two hexadecimal digits each, of either case; nil for anything else.
    ///
    /// - Parameter digits: With or without `0x`.
    package init?(hexDigits digits: some StringProtocol) {
        let isPrefixed = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let values = digits.utf8.dropFirst(isPrefixed ? 2 : 0).map { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        self = stride(from: 0, to: values.count, by: 2).map { (first: Int) -> UInt8 in
            UInt8((values[first] ?? 0) << 4 | (values[first + 1] ?? 0))
        }
    }
}
