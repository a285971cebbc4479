/// The checksum of sections (ISO/IEC 13818-1 Annex A); over a section with its own it is zero.
enum CRC32 {
    static func value(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte) << 24) { crc, _ in
                crc << 1 ^ (crc & 0x8000_0000 != 0 ? 0x04C1_1DB7 : 0)
            }
        }
    }
}
