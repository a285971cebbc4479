/// Reads ASCII from the front of a text, byte by byte: formats are defined on characters, not on graphemes.
package struct TextScanner {
    package private(set) var rest: Substring.UTF8View

    package init(_ text: some StringProtocol) {
        rest = Substring(text).utf8
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// Skips `character` if it is next.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes the text before the first byte that `condition` refuses.
    package mutating func take(while condition: (UInt8) -> Bool) -> Substring {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return Substring(taken)
    }

    /// Takes exactly `count` digits.
    package mutating func digits(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest[digits.endIndex...]
        return Int64(Substring(digits))
    }

    /// Takes a decimal number without sign as a count of 10^-`places`, rounded half up; its fraction may be missing.
    ///
    /// - Returns: Nil if no number is next, or one too large to count.
    package mutating func decimal(places: Int) -> Int64? {
        let whole = take(while: \.isASCIIDigit)
        let fraction = skip(".") ? take(while: \.isASCIIDigit) : ""
        let kept = fraction.utf8.prefix(places)
        let zeros = String(repeating: "0", count: places - kept.count)
        guard !whole.isEmpty, let count = Int64("\(whole)\(Substring(kept))\(zeros)"), count < .max else { return nil }
        let roundsUp = fraction.utf8.dropFirst(places).first.map { $0 >= UInt8(ascii: "5") } ?? false
        return roundsUp ? count + 1 : count
    }
}

extension UInt8 {
    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    package var isASCIIUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
}
