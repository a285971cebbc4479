import MediaCore

extension AttributeList {
    /// Reads the list behind a tag's colon.
    ///
    /// Fails if the list breaks the grammar (RFC 8216bis § 4.2): spaces between attributes, a name in lower case or
    /// twice.
    init?(parsing text: Substring) {
        var scanner = TextScanner(text)
        repeat {
            let name = scanner.take { $0.isASCIIUppercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            guard !name.isEmpty, self[String(name)] == nil, scanner.skip("=") else { return nil }
            let isQuoted = scanner.skip("\"")
            let value = scanner.take { isQuoted ? $0 != UInt8(ascii: "\"") : !Self.endsUnquotedValue($0) }
            guard isQuoted ? scanner.skip("\"") : !value.isEmpty else { return nil }
            if isQuoted {
                let items = value.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                append(String(name), tabSeparated: items, isReference: true)
            } else {
                append(String(name), enumerated: String(value))
            }
        } while scanner.skip(",")
        guard scanner.isAtEnd else { return nil }
    }

    private static func endsUnquotedValue(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte <= UInt8(ascii: " ")
    }

    private subscript(name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Returns true if there is such an attribute, whatever its value.
    func has(_ name: String) -> Bool { self[name] != nil }

    func quoted(_ name: String) -> String? {
        self[name].flatMap { $0.isQuoted ? $0.value : nil }
    }

    /// The parts of a quoted string that are separated by commas.
    func list(_ name: String) -> [String] { quoted(name)?.split(separator: ",").map(String.init) ?? [] }

    func enumerated(_ name: String) -> String? {
        self[name].flatMap { $0.isQuoted ? nil : $0.value }
    }

    /// Returns true if an attribute of values YES and NO says YES.
    func flag(_ name: String) -> Bool {
        enumerated(name) == "YES"
    }

    func decimalInteger(_ name: String) -> Int? {
        enumerated(name).flatMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
    }

    /// A decimal floating-point number of seconds.
    func seconds(_ name: String) -> SegmentDuration? {
        enumerated(name).flatMap { SegmentDuration(decimalSeconds: $0) }
    }

    /// A decimal floating-point number, to three decimals.
    func decimalRatio(_ name: String) -> Ratio? {
        guard let text = enumerated(name) else { return nil }
        var scanner = TextScanner(text)
        guard let thousandths = scanner.decimal(places: 3), scanner.isAtEnd else { return nil }
        return Ratio(Int(thousandths), 1000)
    }

    func hexadecimal(_ name: String) -> Bytes16? {
        guard let text = enumerated(name), text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        return Bytes16(hex: text.dropFirst(2))
    }

    func resolution(_ name: String) -> Resolution? {
        guard let parts = enumerated(name)?.split(separator: "x", omittingEmptySubsequences: false), parts.count == 2,
            let width = Int(parts[0]), let height = Int(parts[1]), width > 0, height > 0
        else { return nil }
        return Resolution(width: width, height: height)
    }
}
