extension [UInt8] {
    /// Decodes base64url without padding (RFC 4648 § 5); nil for anything else.
    ///
    /// Bytes have one spelling: the bits that are left over behind the last byte have to be zero (§ 3.5).
    package init?(base64URL characters: some Collection<UInt8>) {
        guard characters.count % 4 != 1 else { return nil }
        self = []
        reserveCapacity(characters.count / 4 * 3 + 2)
        var (pending, count): (UInt32, Int) = (0, 0)
        for character in characters {
            guard let value = Self.base64URLValue(of: character) else { return nil }
            pending = pending << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            append(UInt8(truncatingIfNeeded: pending >> UInt32(count)))
            pending &= 1 << UInt32(count) - 1
        }
        guard pending == 0 else { return nil }
    }

    private static func base64URLValue(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
