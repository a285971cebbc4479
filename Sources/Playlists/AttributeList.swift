import MediaCore

/// The attributes of a tag, in order (RFC 8216bis § 4.2).
struct AttributeList: Hashable {
    private(set) var attributes: [Attribute] = []

    struct Attribute: Hashable {
        var name: String
        /// The value without its quotes.
        var value: String
        var isQuoted: Bool
    }

    /// Appends a quoted string.
    ///
    /// The grammar has no escapes. A double quote becomes an apostrophe, a line break a space, and the brace of an
    /// unintended variable gets a space after it.
    ///
    /// - Parameters:
    ///   - name: The attribute's.
    ///   - value: Its text; nil to append nothing.
    ///   - isReference: True if the text may refer to variables.
    mutating func append(_ name: String, quoted value: String?, isReference: Bool = false) {
        guard let value else { return }
        attributes.append(Attribute(name: name, value: value.quotable(isReference: isReference), isQuoted: true))
    }

    /// Appends a quoted string of items that tabs separate; it may be empty.
    mutating func append(_ name: String, tabSeparated items: [String]?, isReference: Bool = false) {
        guard let items else { return }
        let value = items.map { $0.quotable(isReference: isReference) }.joined(separator: "\t")
        attributes.append(Attribute(name: name, value: value, isQuoted: true))
    }

    /// Appends an enumerated string.
    mutating func append(_ name: String, enumerated value: String?) {
        guard let value else { return }
        attributes.append(Attribute(name: name, value: value, isQuoted: false))
    }

    /// Appends YES, or nothing.
    mutating func append(_ name: String, flag: Bool) {
        append(name, enumerated: flag ? "YES" : nil)
    }

    /// Appends a decimal floating-point number of seconds with six decimals.
    mutating func append(_ name: String, seconds value: SegmentDuration?) {
        append(name, enumerated: value?.description)
    }

    /// Appends a decimal integer.
    mutating func append(_ name: String, decimal value: Int?) {
        guard let value else { return }
        append(name, enumerated: String(value))
    }

    /// Appends a decimal floating-point number with three decimals, rounded half up.
    mutating func append(_ name: String, decimal value: Ratio?) {
        guard let value, value.denominator > 0 else { return }
        var text = ""
        text.append(
            MediaTime.rescale(Int64(value.numerator), from: Int64(value.denominator), to: 1000),
            decimals: 3
        )
        append(name, enumerated: text)
    }

    /// Appends a hexadecimal sequence.
    mutating func append(_ name: String, hexadecimal value: Bytes16?) {
        guard let value else { return }
        append(name, enumerated: "0x\(value.hex)")
    }

    /// Appends a decimal resolution.
    mutating func append(_ name: String, resolution value: Resolution?) {
        guard let value else { return }
        append(name, enumerated: "\(value.width)x\(value.height)")
    }
}

extension AttributeList: CustomStringConvertible {
    /// The list behind the tag's colon.
    var description: String {
        var text = ""
        for attribute in attributes {
            if !text.isEmpty { text += "," }
            text += attribute.name
            text += attribute.isQuoted ? "=\"" : "="
            text += attribute.value
            if attribute.isQuoted { text += "\"" }
        }
        return text
    }
}
