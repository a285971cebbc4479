/// The codes that protect the bytes of teletext (ETSI EN 300 706 § 8); the bit that is sent first is in the lowest
/// place.
enum TeletextCode {
    /// Nibbles by code word; nil if two bits or more are wrong (Hamming 8/4, § 8.2).
    private static let nibbles: [UInt8?] = {
        var nibbles = [UInt8?](repeating: nil, count: 256)
        for nibble in 0..<16 as Range<UInt8> {
            let word = encode(nibble)
            nibbles[Int(word)] = nibble
            for bit in 0..<8 { nibbles[Int(word ^ 1 << bit)] = nibble }
        }
        return nibbles
    }()

    /// Returns the nibble of a code word, with one wrong bit corrected; nil if more are wrong.
    static func decode(_ word: UInt8) -> UInt8? { nibbles[Int(word)] }

    /// Returns the byte of two code words, the lower nibble first.
    static func decode(_ low: UInt8, _ high: UInt8) -> UInt8? {
        guard let low = decode(low), let high = decode(high) else { return nil }
        return high << 4 | low
    }

    /// Returns the code word of a nibble.
    static func encode(_ nibble: UInt8) -> UInt8 {
        let d = (0..<4).map { nibble >> $0 & 1 }
        let (p1, p2, p3) = (1 ^ d[0] ^ d[2] ^ d[3], 1 ^ d[0] ^ d[1] ^ d[3], 1 ^ d[0] ^ d[1] ^ d[2])
        let p4 = [p1, p2, p3].reduce(d.reduce(1, ^), ^)
        return [p1, d[0], p2, d[1], p3, d[2], p4, d[3]].reversed().reduce(0) { $0 << 1 | $1 }
    }

    /// Returns true if a character is whole (odd parity, § 8.1).
    static func isWhole(_ character: UInt8) -> Bool { character.nonzeroBitCount % 2 == 1 }

    /// Returns a byte with its bits the other way round, as data units have them (ETSI EN 300 472 § 4.4).
    static func reverse(_ byte: UInt8) -> UInt8 {
        var byte = byte
        byte = byte >> 4 | byte << 4
        byte = (byte & 0xCC) >> 2 | (byte & 0x33) << 2
        return (byte & 0xAA) >> 1 | (byte & 0x55) << 1
    }
}
