package import MediaCore

/// Checks of values from a file or a peer: no arithmetic on them may overflow, and no path may leave its directory.
extension KeyedDecodingContainer {
    func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type,
        in range: ClosedRange<Number>,
        forKey key: Key
    ) throws -> Number {
        let number = try decode(type, forKey: key)
        try check(range.contains(number), key)
        return number
    }

    package func decodeNumber(forKey key: Key) throws -> MediaSequenceNumber {
        // Slots of a second for 4000 years; times the length of a slot, they leave room for arithmetic in ticks.
        MediaSequenceNumber(try decode(Int64.self, in: 0...1 << 37, forKey: key))
    }

    func decodeNumberIfPresent(forKey key: Key) throws -> MediaSequenceNumber? {
        contains(key) ? try decodeNumber(forKey: key) : nil
    }

    /// Decodes a time in UTC, in ticks, that leaves room for arithmetic.
    func decodeTime(forKey key: Key) throws -> MediaTime {
        MediaTime(ticks: try decode(Int64.self, in: .sensible, forKey: key))
    }

    /// - Throws: `DecodingError` if a field does not hold what it must.
    package func check(_ condition: Bool, _ key: Key) throws {
        guard condition else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "out of bounds")
        }
    }

    func require<Value>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "unknown")
        }
        return value
    }
}

extension ClosedRange<Int64> {
    /// Ticks of 90 kHz that leave room for arithmetic: some 6000 years.
    static var sensible: Self { 0...1 << 54 }
}

extension String {
    /// True if it can be one component of a path.
    package var isPathComponent: Bool {
        let isSafe = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isSafe && (1...128).contains(utf8.count) && self != "." && self != ".."
    }
}
