import MediaCore

/// The header of a frame of MPEG-1, MPEG-2 or MPEG-2.5 audio (ISO/IEC 11172-3 § 2.4.1.3,
/// ISO/IEC 13818-3 § 2.4.2.3).
struct MPEGAudioHeader: AudioFrameHeader {
    var stream: MPEGAudioConfiguration
    var frameLength: Int

    init(_ bytes: RawSpan) throws(CodecError) {
        var reader = BitReader(bytes)
        guard try reader.read(11) == 0x7FF else { throw .invalid("MPEG audio syncword") }
        let version = try reader.read(2)
        guard version != 1 else { throw .invalid("MPEG audio version") }
        let layer = 4 - UInt8(try reader.read(2))
        guard layer < 4 else { throw .invalid("layer") }
        try reader.skip(1)  // protection_bit
        let bitRateIndex = Int(try reader.read(4))
        let rateIndex = Int(try reader.read(2))
        let isPadded = try reader.readFlag()
        try reader.skip(1)  // private_bit
        let mode = try reader.read(2)
        guard rateIndex < 3 else { throw .invalid("sampling_frequency") }
        guard bitRateIndex != 0 else { throw .unsupported("MPEG audio of free format") }
        guard bitRateIndex < 15 else { throw .invalid("bitrate_index") }
        let sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        stream = MPEGAudioConfiguration(layer: layer, sampleRate: sampleRate, channels: mode == 3 ? 1 : 2)
        let bitRate = Self.bitRates(of: stream)[bitRateIndex - 1] * 1000
        // § 2.4.3.1: slots of four bytes in layer I, of a byte in the others, and one more with padding.
        let slot = layer == 1 ? 4 : 1
        frameLength = (stream.samplesPerFrame / 8 / slot * bitRate / sampleRate + (isPadded ? 1 : 0)) * slot
    }

    var sampleRate: Int { stream.sampleRate }
    var samples: Int { stream.samplesPerFrame }

    /// kbit/s from bitrate_index 1 on.
    static func bitRates(of stream: MPEGAudioConfiguration) -> [Int] {
        switch (stream.layer, stream.sampleRate < 32_000) {
        case (1, false): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (1, true): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        case (2, false): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (_, false): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, true): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
