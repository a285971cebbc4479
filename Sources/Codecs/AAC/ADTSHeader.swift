import MediaCore

/// The header ahead of an AAC frame in a transport stream (ISO/IEC 14496-3 § 1.A.2.2).
struct ADTSHeader: AudioFrameHeader, Hashable, Sendable {
    /// The part that stays the same from frame to frame and makes the configuration.
    var stream: Stream
    /// Bytes of the header, checksum included.
    var headerLength: Int
    /// Bytes of header and frame.
    var frameLength: Int
    /// AAC frames in it, 1 to 4.
    var rawDataBlocks: Int

    /// The fields of adts_fixed_header() that a decoder needs.
    struct Stream: Hashable, Sendable {
        var objectType: UInt8
        var sampleRate: Int
        var channelConfiguration: UInt8
    }

    init(_ bytes: RawSpan) throws(CodecError) {
        // A frame of audio comes 47 times a second: its header is read in three pieces.
        var reader = BitReader(bytes)
        let start = try reader.read(16)
        guard start >> 4 == 0xFFF else { throw .invalid("ADTS syncword") }
        guard start >> 1 & 0x3 == 0 else { throw .invalid("ADTS layer") }
        let hasChecksum = start & 0x1 == 0  // protection_absent
        let profile = try reader.read(8)
        let rateIndex = Int(profile >> 2 & 0xF)
        guard AudioSpecificConfig.sampleRates.indices.contains(rateIndex) else {
            throw .invalid("samplingFrequencyIndex")
        }
        // From the lower bits of channel_configuration to number_of_raw_data_blocks_in_frame.
        let rest = try reader.read(32)
        stream = Stream(
            objectType: UInt8(profile >> 6) + 1,
            sampleRate: AudioSpecificConfig.sampleRates[rateIndex],
            channelConfiguration: UInt8(profile << 2 & 0x4 | rest >> 30)
        )
        frameLength = Int(rest >> 13 & 0x1FFF)
        rawDataBlocks = Int(rest & 0x3) + 1
        // § 1.A.2.2: with a checksum, all but the first block have their position said.
        headerLength = hasChecksum ? 7 + 2 * rawDataBlocks : 7
        guard frameLength >= headerLength else { throw .invalid("aac_frame_length") }
    }

    var sampleRate: Int { stream.sampleRate }
    var samples: Int { rawDataBlocks * AACConfiguration.samplesPerFrame }
}
