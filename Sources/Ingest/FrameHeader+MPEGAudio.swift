/// A frame of MPEG audio (ISO/IEC 11172-3 § 2.4.2.3, ISO/IEC 13818-3 § 2.4.2.3).
extension FrameHeader {
    static let mpegAudioBytes = 4
    /// Layer II at 384 kbit/s and 32 kHz is 1728 bytes; low rates of MPEG-2.5 are no longer.
    static let mostMPEGAudioBytes = 1 << 12

    private static let rates: [Int64] = [44_100, 48_000, 32_000]

    /// Kbit/s by bitrate_index, of which 0 is the free format and 15 is forbidden.
    private static let bitRates1: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    /// The same for the lower sampling frequencies: layer I, and layers II and III.
    private static let bitRates2: [[Int]] = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Nil if there is no such header, or one of the free format, which does not say how long the frame is.
    init?(mpegAudio bytes: RawSpan) {
        guard bytes.byteCount >= Self.mpegAudioBytes else { return nil }
        func byte(_ offset: Int) -> Int { Int(bytes.byte(offset)) }
        // A syncword of 11 ones: MPEG-2.5 took the twelfth.
        guard byte(0) == 0xFF, byte(1) & 0xE0 == 0xE0 else { return nil }
        let (version, layer) = (byte(1) >> 3 & 3, 4 - (byte(1) >> 1 & 3))
        let (bitRateIndex, rateIndex) = (byte(2) >> 4, byte(2) >> 2 & 3)
        guard version != 1, layer < 4, 1...14 ~= bitRateIndex, rateIndex < 3, byte(3) & 3 != 2 else { return nil }
        let isLow = version != 3
        let sampleRate = Self.rates[rateIndex] >> (isLow ? version == 0 ? 2 : 1 : 0)
        let bitRate = (isLow ? Self.bitRates2 : Self.bitRates1)[layer - 1][bitRateIndex - 1] * 1000
        let samples = layer == 1 ? 384 : layer == 3 && isLow ? 576 : 1152
        // § 2.4.3.1: slots of four bytes in layer I, of one byte in the others.
        let slot = layer == 1 ? 4 : 1
        let slots = samples / 8 / slot * bitRate / Int(sampleRate) + (byte(2) >> 1 & 1)
        self.init(sampleRate: sampleRate, samples: Int64(samples), byteCount: slots * slot, layer: layer)
    }
}
