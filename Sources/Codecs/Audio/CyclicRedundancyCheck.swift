/// A checksum that starts from zero, most significant bit first.
struct CyclicRedundancyCheck: Sendable {
    private let width: UInt16
    private let polynomial: UInt16

    /// x^8 + x^2 + x + 1 (RFC 9639 § 9.1.8).
    static let ofFLACHeader = CyclicRedundancyCheck(width: 8, polynomial: 0x07)
    /// x^16 + x^15 + x^2 + 1 (RFC 9639 § 9.3, ETSI TS 102 366 § 6.1.7).
    static let of16Bits = CyclicRedundancyCheck(width: 16, polynomial: 0x8005)

    func checksum(_ bytes: RawSpan) -> UInt16 {
        var register: UInt16 = 0
        for offset in 0..<bytes.byteCount {
            register ^= UInt16(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) << (width - 8)
            for _ in 0..<8 {
                let carry = register >> (width - 1) & 1
                register = register << 1 ^ carry * polynomial
            }
        }
        return width == 16 ? register : register & (1 << width - 1)
    }

    func checksum(_ bytes: [UInt8]) -> UInt16 { checksum(bytes.span.bytes) }

    /// The checksum that makes the whole zero if it stands ahead of the bytes instead of behind them; of 16 bits.
    func leadingChecksum(_ bytes: [UInt8]) -> UInt16 {
        // Runs the register back from zero, over the bytes and then over the place of the checksum itself.
        var register: UInt16 = 0
        for byte in bytes.reversed() + [0, 0] {
            for shift in 0..<8 {
                let bit = UInt16(byte >> UInt8(shift) & 1)
                let carry = register & 1
                register = (register ^ carry * polynomial) >> 1 | (carry ^ bit) << 15
            }
        }
        return register
    }
}
