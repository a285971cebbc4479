/// A section of a table, whole and with the right checksum (ISO/IEC 13818-1 § 2.4.4).
struct ParsedSection {
    let tableID: UInt8
    /// table_id_extension: the stream or the program.
    let idExtension: UInt16
    let version: UInt8
    /// The bytes between head and checksum.
    let body: ArraySlice<UInt8>

    /// Reads a section of at least three bytes, whose length is the stated one.
    ///
    /// - Throws: The rule that it breaks.
    init(_ bytes: [UInt8]) throws(ParsedTransportPacket.Malformed) {
        // Five bytes follow the length before the body, and four of checksum after it.
        guard bytes.count >= 12, bytes[1] & 0x80 != 0 else { throw .init(rule: .malformedSection) }
        guard Self.checksum(bytes) == 0 else { throw .init(rule: .wrongChecksum) }
        tableID = bytes[0]
        idExtension = UInt16(bytes[3]) << 8 | UInt16(bytes[4])
        version = bytes[5] >> 1 & 0x1F
        body = bytes[8..<(bytes.count - 4)]
    }

    /// The checksum, which is 0 for a section with its own checksum (ISO/IEC 13818-1 Annex A).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            for bit in (0..<8 as Range<UInt8>).reversed() {
                let feedback = register >> 31 != UInt32(byte >> bit & 1)
                register = register << 1 ^ (feedback ? 0x04C1_1DB7 : 0)
            }
        }
        return register
    }
}
