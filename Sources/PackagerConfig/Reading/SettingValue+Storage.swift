import MediaCore

/// Sizes and durations of storage.
extension SettingValue {
    /// The units of bytes, the greatest first, with their powers of 2.
    private static let byteUnits = [("T", 40), ("G", 30), ("M", 20), ("K", 10)]

    /// Reads bytes, with K, M, G or T for powers of 1024.
    static func byteCount(_ text: String, in range: ClosedRange<Int>) throws(Invalid) -> Int {
        let unit = byteUnits.first { text.uppercased().hasSuffix($0.0) }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.count <= 12, digits.allSatisfy(\.isASCIIDigit), let count = Int(digits) else {
            throw Invalid("'\(text)' is not a number of bytes; write it like 512M or 2G")
        }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << (unit?.1 ?? 0))
        guard !overflow, range.contains(bytes) else {
            let (least, most) = (self.text(ofBytes: range.lowerBound), self.text(ofBytes: range.upperBound))
            throw Invalid("\(text) is out of range; allowed are \(least) to \(most)")
        }
        return bytes
    }

    /// Writes bytes in the greatest unit that they are a whole number of.
    static func text(ofBytes bytes: Int) -> String {
        let unit = byteUnits.first { bytes.isMultiple(of: 1 << $0.1) }
        return unit.map { "\(bytes >> $0.1)\($0.0)" } ?? "\(bytes)"
    }

    /// The units of spans of time, the greatest first, in seconds.
    private static let spanUnits: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

    /// Reads a whole number of days, hours, minutes or seconds, with d, h, m or s; a number alone is of seconds.
    static func span(_ text: String, in range: ClosedRange<Int64>) throws(Invalid) -> MediaTime {
        let unit = spanUnits.first { text.lowercased().hasSuffix($0.name) }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy(\.isASCIIDigit), let count = Int64(digits) else {
            throw Invalid("'\(text)' is not a span of time; write it like 14d, 36h, 90m or 30s")
        }
        let span = MediaTime(seconds: count * (unit?.seconds ?? 1))
        let (least, most) = (MediaTime(seconds: range.lowerBound), MediaTime(seconds: range.upperBound))
        guard span >= least, span <= most else {
            throw Invalid(
                "\(text) is out of range; allowed are \(self.text(ofSpan: least)) to \(self.text(ofSpan: most))"
            )
        }
        return span
    }

    /// Writes a span of whole seconds in the greatest unit that it is a whole number of.
    static func text(ofSpan span: MediaTime) -> String {
        let seconds = span.milliseconds / 1000
        let unit = spanUnits.first { seconds > 0 && seconds.isMultiple(of: $0.seconds) }
        return unit.map { "\(seconds / $0.seconds)\($0.name)" } ?? "0"
    }
}
