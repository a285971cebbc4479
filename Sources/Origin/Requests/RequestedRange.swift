import HTTPServing
import MediaCore

/// The bytes of a representation that a request wants (RFC 9110 § 14.2).
package enum RequestedRange: Hashable, Sendable {
    case whole
    /// A part, never empty and always inside.
    case part(Range<Int>)
    /// A range without any existing byte: 416.
    case unsatisfiable

    /// Reads a `Range` field.
    ///
    /// A field that is malformed, in another unit or lists several ranges is ignored, as RFC 9110 § 14.2 permits: the
    /// answer is the whole.
    ///
    /// - Parameters:
    ///   - field: The field's value; nil if the request has none.
    ///   - length: Bytes of the whole representation.
    package init(_ field: String?, length: Int) {
        self = field.flatMap { Self.parse($0, length: length) } ?? .whole
    }

    private static func parse(_ field: String, length: Int) -> Self? {
        guard let equals = field.firstIndex(of: "="), field[..<equals].lowercased() == "bytes" else { return nil }
        let range = field[field.index(after: equals)...].trimmingSpaces
        guard let dash = range.firstIndex(of: "-") else { return nil }
        let (firstDigits, lastDigits) = (range[..<dash], range[range.index(after: dash)...])

        if firstDigits.isEmpty {
            guard let suffix = position(lastDigits) else { return nil }
            // RFC 9110 § 14.1.2: a suffix longer than the representation means all of it.
            let count = min(suffix, length)
            return count == 0 ? .unsatisfiable : .part(length - count..<length)
        }
        guard let first = position(firstDigits) else { return nil }
        var last = Int.max
        if !lastDigits.isEmpty {
            guard let given = position(lastDigits), given >= first else { return nil }
            last = given
        }
        return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
    }

    /// A number of decimal digits only; one beyond 64 bits is as good as the largest.
    private static func position(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(digits) ?? .max
    }
}
