import MediaCore

/// The attributes of a range's tag, written and read.
extension DateRange {
    /// The attributes behind the tag's colon.
    package var text: String { attributes.description }

    /// - Parameter text: The text behind the tag's colon; nil if it breaks the grammar, lacks its ID, or an
    ///   attribute is of another type than it should be.
    package init?(text: some StringProtocol) {
        guard let attributes = AttributeList(parsing: Substring(text)) else { return nil }
        self.init(attributes)
    }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("ID", quoted: id)
        list.append("CLASS", quoted: className)
        list.append("START-DATE", quoted: start?.iso8601)
        list.append("CUE", quoted: cues.isEmpty ? nil : cues.map(\.rawValue).joined(separator: ","))
        list.append("END-DATE", quoted: end?.iso8601)
        list.append("DURATION", seconds: duration)
        list.append("PLANNED-DURATION", seconds: plannedDuration)
        for attribute in custom {
            switch attribute.value {
            case .string(let text): list.append(attribute.name, quoted: text)
            case .hexadecimal(let bytes): list.append(attribute.name, bytes: bytes)
            case .number(let text): list.append(attribute.name, enumerated: text)
            }
        }
        list.append("SCTE35-CMD", bytes: spliceCommand)
        list.append("SCTE35-OUT", bytes: spliceOut)
        list.append("SCTE35-IN", bytes: spliceIn)
        list.append("END-ON-NEXT", enumerated: endsOnNext ? "YES" : nil)
        return list
    }

    init?(_ list: AttributeList) {
        guard let id = list.quoted("ID") else { return nil }
        self.init(id: id)
        for attribute in list.attributes {
            guard take(attribute) else { return nil }
        }
    }

    /// Returns false if an attribute has the wrong type.
    ///
    /// Unknown ones are ignored (§ 4.2).
    private mutating func take(_ attribute: AttributeList.Attribute) -> Bool {
        let quoted = attribute.isQuoted ? attribute.value : nil
        let plain = attribute.isQuoted ? nil : attribute.value
        func take<Value>(_ path: WritableKeyPath<DateRange, Value?>, _ value: Value?) -> Bool {
            self[keyPath: path] = value
            return value != nil
        }
        switch attribute.name {
        case "CLASS": return take(\.className, quoted)
        case "START-DATE": return take(\.start, quoted.flatMap { MediaTime(iso8601: $0) })
        case "END-DATE": return take(\.end, quoted.flatMap { MediaTime(iso8601: $0) })
        case "DURATION": return take(\.duration, plain.flatMap { MediaTime(decimalSeconds: $0) })
        case "PLANNED-DURATION": return take(\.plannedDuration, plain.flatMap { MediaTime(decimalSeconds: $0) })
        case "SCTE35-CMD": return take(\.spliceCommand, plain.flatMap { [UInt8](hexadecimalSequence: $0) })
        case "SCTE35-OUT": return take(\.spliceOut, plain.flatMap { [UInt8](hexadecimalSequence: $0) })
        case "SCTE35-IN": return take(\.spliceIn, plain.flatMap { [UInt8](hexadecimalSequence: $0) })
        case "END-ON-NEXT":
            endsOnNext = true
            return plain == "YES"
        case "CUE":
            let names = quoted?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            cues = names.compactMap { Cue(rawValue: String($0)) }
            return !names.isEmpty && cues.count == names.count
        case let name where name.hasPrefix("X-"):
            let value = CustomAttribute.Value(attribute)
            if let value { custom.append(CustomAttribute(name: name, value: value)) }
            return value != nil
        default: return true
        }
    }
}

extension DateRange.CustomAttribute.Value {
    /// Fails if the value has none of the three permitted types.
    fileprivate init?(_ attribute: AttributeList.Attribute) {
        if attribute.isQuoted {
            self = .string(attribute.value)
        } else if let bytes = [UInt8](hexadecimalSequence: attribute.value) {
            self = .hexadecimal(bytes)
        } else {
            var scanner = TextScanner(attribute.value)
            _ = scanner.skip("-")
            guard scanner.decimal(places: 6) != nil, scanner.isAtEnd else { return nil }
            self = .number(attribute.value)
        }
    }
}

extension MediaTime {
    /// A decimal floating-point number of seconds.
    init?(decimalSeconds text: String) {
        var scanner = TextScanner(text)
        guard let microseconds = scanner.decimal(places: 6), microseconds <= Self.longest, scanner.isAtEnd else {
            return nil
        }
        self.init(microseconds, timescale: 1_000_000)
    }

    /// Microseconds, a century: no sum of it and a date overflows.
    private static let longest: Int64 = 3_155_760_000_000_000
}

extension AttributeList {
    /// Appends a decimal floating-point number of seconds with three decimals.
    fileprivate mutating func append(_ name: String, seconds value: MediaTime?) {
        guard let value else { return }
        var text = ""
        text.append(value.milliseconds, decimals: 3)
        append(name, enumerated: text)
    }

    /// Appends a hexadecimal sequence, whose digits are in upper case (RFC 8216bis § 4.2).
    fileprivate mutating func append(_ name: String, bytes value: [UInt8]?) {
        append(name, enumerated: value.map { "0x\($0.hex.uppercased())" })
    }
}

extension [UInt8] {
    /// `0x` and digits, of either case to be lenient; nil for anything else, and for half a byte.
    fileprivate init?(hexadecimalSequence text: String) {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), text.utf8.count > 2 else { return nil }
        self.init(hexDigits: text)
    }
}
