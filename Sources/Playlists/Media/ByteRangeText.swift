import MediaCore

/// A byte range as tags carry it: `n[@o]` (RFC 8216bis § 4.4.4.2).
struct ByteRangeText {
    private var length: Int
    private var offset: Int?

    /// Fails if it is not a length, with or without an offset.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        guard numbers.count == parts.count, let length = numbers.first, numbers.count <= 2 else { return nil }
        self.length = length
        offset = numbers.dropFirst().first
    }

    /// Returns the bytes of the range.
    ///
    /// - Parameter end: The end of the previous range in the resource; nil if there is none.
    /// - Returns: The bytes; nil if no offset is known, or the end is beyond all numbers.
    func range(after end: Int?) -> Range<Int>? {
        guard let start = offset ?? end else { return nil }
        let (end, overflows) = start.addingReportingOverflow(length)
        return overflows ? nil : start..<end
    }
}
