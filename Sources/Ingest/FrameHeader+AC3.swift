/// A syncframe of AC-3 or E-AC-3 (ETSI TS 102 366 § 4.3 and § E.1.2).
extension FrameHeader {
    /// Bytes up to bsid.
    static let ac3Bytes = 6
    /// frmsiz has 11 bits and counts words.
    static let mostAC3Bytes = 2 << 11

    /// Kbit/s by half of frmsizecod (table 4.13).
    private static let bitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]
    /// Hz by fscod (table 4.1).
    private static let sampleRates: [Int64] = [48_000, 44_100, 32_000]
    private static let samplesPerBlock: Int64 = 256

    /// Nil if there is no such header.
    init?(ac3 bytes: RawSpan) {
        guard bytes.byteCount >= Self.ac3Bytes else { return nil }
        func byte(_ offset: Int) -> Int { Int(bytes.byte(offset)) }
        guard byte(0) == 0x0B, byte(1) == 0x77 else { return nil }
        switch byte(5) >> 3 {
        case ...10: self.init(code: byte(4), bitStream: byte(5) >> 3)
        case 11...16: self.init(substream: byte(2), size: (byte(2) & 7) << 8 | byte(3), blocks: byte(4))
        default: return nil
        }
    }

    /// - Parameters:
    ///   - code: fscod and frmsizecod.
    ///   - bitStream: bsid; 9 and 10 halve and quarter the sample rate, as encoders use it without a clause for it.
    private init?(code: Int, bitStream: Int) {
        let (rate, size) = (code >> 6, code & 0x3F)
        guard Self.sampleRates.indices.contains(rate), Self.bitRates.indices.contains(size >> 1) else { return nil }
        // Table 4.13: 1536 samples in words of 16 bits, rounded down; the odd code has a word more at 44.1 kHz.
        let words = Self.bitRates[size >> 1] * 96_000 / Int(Self.sampleRates[rate]) + (rate == 1 ? size & 1 : 0)
        self.init(
            sampleRate: Self.sampleRates[rate] >> max(0, bitStream - 8),
            samples: 6 * Self.samplesPerBlock,
            byteCount: words * 2
        )
    }

    /// - Parameters:
    ///   - substream: strmtyp and substreamid in the five highest bits.
    ///   - size: frmsiz.
    ///   - blocks: fscod and numblkscod, or fscod2, in the four highest bits.
    private init?(substream: Int, size: Int, blocks: Int) {
        let (rate, count) = (blocks >> 6, blocks >> 4 & 3)
        guard Self.sampleRates.indices.contains(rate) || Self.sampleRates.indices.contains(count) else { return nil }
        // § E.1.3.1.4: half of the rates, and always six blocks.
        let sampleRate = rate == 3 ? Self.sampleRates[count] / 2 : Self.sampleRates[rate]
        let blockCount: Int64 = rate == 3 ? 6 : [1, 2, 3, 6][count]
        // § E.1.3.1.1: 1 depends on the substream before it; others than 0 of the independent ones are other programmes.
        let isMain = substream >> 6 != 1 && substream >> 3 & 7 == 0
        self.init(
            sampleRate: sampleRate,
            samples: isMain ? blockCount * Self.samplesPerBlock : 0,
            byteCount: (size + 1) * 2
        )
        if byteCount < Self.ac3Bytes { return nil }
    }
}
