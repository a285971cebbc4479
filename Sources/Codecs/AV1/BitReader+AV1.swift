/// The numbers of AV1 (AV1 § 4.10).
extension BitReader {
    /// Reads a flag that exists only under a condition; otherwise it is not set.
    mutating func readFlag(if isPresent: Bool) throws(CodecError) -> Bool {
        isPresent ? try readFlag() : false
    }

    /// Reads a flag that exists only if nothing else has decided it.
    mutating func readFlag(unless known: Bool?) throws(CodecError) -> Bool {
        if let known { known } else { try readFlag() }
    }

    /// leb128(): seven bits a byte, lowest first.
    mutating func readLEB128() throws(CodecError) -> Int {
        var value = 0
        for index in 0..<8 {
            let byte = Int(try read(8))
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 {
                // § 4.10.5: it fits in 32 bits.
                guard value <= Int(UInt32.max) else { break }
                return value
            }
        }
        throw .invalid("leb128")
    }

    /// su(1+n): a signed number of `count` bits.
    mutating func readSigned(_ count: Int) throws(CodecError) -> Int {
        let value = Int(try read(count))
        return value >> (count - 1) == 0 ? value : value - (1 << count)
    }

    /// ns(n): a number below `limit`, which is 1 or more.
    mutating func readNonSymmetric(below limit: Int) throws(CodecError) -> Int {
        let width = Int.bitWidth - limit.leadingZeroBitCount
        let short = (1 << width) - limit
        let value = Int(try read(width - 1))
        if value < short { return value }
        return try (value << 1) - short + Int(read(1))
    }

    /// uvlc(): as Exp-Golomb numbers, but 32 zero bits end it with the greatest number.
    mutating func readUVLC() throws(CodecError) -> UInt32 {
        var zeroBits = 0
        while try !readFlag() { zeroBits += 1 }
        return zeroBits < 32 ? try (1 << UInt32(zeroBits)) - 1 + read(zeroBits) : .max
    }

    /// A number in a signed field that may be left out: read_delta_q() (§ 5.9.13).
    mutating func readDelta() throws(CodecError) -> Int {
        try readFlag() ? try readSigned(7) : 0
    }
}
