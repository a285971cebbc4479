/// The checksum of sections (ISO/IEC 13818-1 Annex A): CRC-32 of polynomial 04C11DB7, neither reflected nor inverted; over
/// a section with its own it is zero.
package enum SectionChecksum {
    package static func value(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { crc, byte in
            crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)]
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(index << 24) { crc, _ in crc << 1 ^ (crc >> 31) * 0x04C1_1DB7 }
    }
}
