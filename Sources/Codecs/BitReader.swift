/// Reads bits, most significant first, from bytes that it borrows.
///
/// Within a NAL unit it skips emulation prevention bytes, so nothing is copied. Its two measures then differ:
/// `bitPosition` counts the bits read, and ``byteOffset`` counts the bytes of the NAL unit. Every read is checked
/// against the end.
package struct BitReader: ~Escapable {
    private let bytes: RawSpan
    private let hasEmulationPrevention: Bool
    private var current: UInt8 = 0
    private var bitsInCurrent = 0
    private var zeroBytes = 0
    private var emulationPreventionBytes = 0

    /// Bytes begun, emulation prevention bytes among them: a structure that ends here takes this many whole bytes.
    package private(set) var byteOffset = 0

    /// - Parameters:
    ///   - bytes: The bytes to read.
    ///   - hasEmulationPrevention: True if `bytes` are of a NAL unit (ISO/IEC 14496-10 § 7.3.1).
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, hasEmulationPrevention: Bool = false) {
        self.bytes = bytes
        self.hasEmulationPrevention = hasEmulationPrevention
    }

    /// Bits read so far, those of emulation prevention bytes left out.
    var bitPosition: Int { (byteOffset - emulationPreventionBytes) * 8 - bitsInCurrent }

    /// Bits ahead, those of emulation prevention bytes included.
    var bitsLeft: Int { (bytes.byteCount - byteOffset) * 8 + bitsInCurrent }

    /// Reads an unsigned integer of `count` bits, `u(n)`: 0 to 32.
    package mutating func read(_ count: Int) throws(CodecError) -> UInt32 {
        var value: UInt32 = 0
        var missing = count
        while missing > 0 {
            if bitsInCurrent == 0 { try loadByte() }
            let taken = min(missing, bitsInCurrent)
            bitsInCurrent -= taken
            missing -= taken
            value = value << UInt32(taken) | UInt32(current >> UInt8(bitsInCurrent)) & (1 << UInt32(taken) - 1)
        }
        return value
    }

    package mutating func readFlag() throws(CodecError) -> Bool {
        try read(1) == 1
    }

    package mutating func skip(_ count: Int) throws(CodecError) {
        for _ in 0..<count / 32 { _ = try read(32) }
        _ = try read(count % 32)
    }

    mutating func skipToByteBoundary() {
        bitsInCurrent = 0
    }

    /// Reads an unsigned Exp-Golomb number, `ue(v)` (ISO/IEC 14496-10 § 9.1).
    mutating func readUnsignedGolomb() throws(CodecError) -> UInt32 {
        var zeroBits = 0
        repeat {
            if bitsInCurrent == 0 { try loadByte() }
            let zeros = min((current << UInt8(8 - bitsInCurrent)).leadingZeroBitCount, bitsInCurrent)
            zeroBits += zeros
            bitsInCurrent -= zeros
            // § 9.1: ue(v) ends at 2^32 - 2.
            guard zeroBits < 32 else { throw .invalid("Exp-Golomb number") }
        } while bitsInCurrent == 0
        // Skip the 1 bit after the leading zeros.
        bitsInCurrent -= 1
        return try (1 << UInt32(zeroBits)) - 1 + read(zeroBits)
    }

    /// Reads a signed Exp-Golomb number, `se(v)` (ISO/IEC 14496-10 § 9.1.1).
    mutating func readSignedGolomb() throws(CodecError) -> Int32 {
        let number = try readUnsignedGolomb()
        let magnitude = Int32(number / 2)
        return number % 2 == 1 ? magnitude + 1 : -magnitude
    }

    /// Reads `ue(v)` that its semantics bound.
    ///
    /// - Parameters:
    ///   - limit: The greatest value allowed.
    ///   - name: The name of the value in the error.
    /// - Returns: The number.
    /// - Throws: ``CodecError/invalid(_:)`` beyond the limit, and all that reading throws.
    mutating func readUnsignedGolomb(
        upTo limit: UInt32,
        _ name: String
    ) throws(CodecError) -> Int {
        let number = try readUnsignedGolomb()
        guard number <= limit else { throw .invalid(name) }
        return Int(number)
    }

    private mutating func loadByte() throws(CodecError) {
        var byte = try nextByte()
        if hasEmulationPrevention {
            // § 7.3.1: the third byte of 00 00 03 is not part of the RBSP.
            if zeroBytes >= 2, byte == 3 {
                emulationPreventionBytes += 1
                zeroBytes = 0
                byte = try nextByte()
            }
            zeroBytes = byte == 0 ? zeroBytes + 1 : 0
        }
        current = byte
        bitsInCurrent = 8
    }

    private mutating func nextByte() throws(CodecError) -> UInt8 {
        guard byteOffset < bytes.byteCount else { throw .truncated }
        defer { byteOffset += 1 }
        return bytes.unsafeLoad(fromByteOffset: byteOffset, as: UInt8.self)
    }
}
