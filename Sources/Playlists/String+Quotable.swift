extension String {
    /// True if it can stand in the quotation marks of a playlist (RFC 8216bis § 4.2, § 4.3).
    ///
    /// The grammar has no empty text, no quotation marks and no line breaks, and text that reads as an undefined
    /// variable makes players refuse the playlist.
    package var isQuotable: Bool {
        !isEmpty && !contains("{$") && unicodeScalars.allSatisfy { $0 != "\"" && !$0.isControl }
    }

    /// Makes a text quotable, unless it is empty.
    ///
    /// - Parameter isReference: True if the text may refer to variables.
    /// - Returns: The nearest quotable text.
    func quotable(isReference: Bool) -> String {
        // Paths are so, and each playlist has many.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "$") }) {
            return self
        }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text.append("'")
            case "$" where text.last == "{" && !isReference: text.append(contentsOf: " $".unicodeScalars)
            case let scalar where scalar.isControl: text.append(" ")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// True for control characters and line ends.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control || self == "\u{2028}" || self == "\u{2029}"
    }
}
