import MediaCore

/// What an ADTS header says of a frame's length, in time and in bytes (ISO/IEC 14496-3 § 1.A.3.2).
struct ADTSFrame: Hashable, Sendable {
    /// Hz of the core decoder.
    var sampleRate: Int64
    /// PCM samples of the core decoder.
    var samples: Int64
    /// Bytes of header and frame, never fewer than the header's.
    var byteCount: Int

    /// Bytes of a header without its checksum.
    static let headerBytes = 7
    /// aac_frame_length has 13 bits.
    static let mostBytes = 1 << 13

    private static let sampleRates: [Int64] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// Nil if there is no such header.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= Self.headerBytes else { return nil }
        func byte(_ offset: Int) -> Int { Int(bytes.byte(offset)) }
        // syncword of 12 ones, ID, layer of two zeros.
        guard byte(0) == 0xFF, byte(1) & 0xF6 == 0xF0 else { return nil }
        byteCount = (byte(3) & 3) << 11 | byte(4) << 3 | byte(5) >> 5
        guard byteCount >= Self.headerBytes else { return nil }
        let index = byte(2) >> 2 & 0xF
        guard Self.sampleRates.indices.contains(index) else { return nil }
        sampleRate = Self.sampleRates[index]
        // number_of_raw_data_blocks_in_frame counts from 0.
        samples = Int64((byte(6) & 3) + 1) * Int64(AACConfiguration.samplesPerFrame)
    }
}
