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
        var reader = BitReader(bytes)
        guard try reader.read(12) == 0xFFF else { throw .invalid("ADTS syncword") }
        try reader.skip(1)  // ID
        guard try reader.read(2) == 0 else { throw .invalid("ADTS layer") }
        let hasChecksum = try !reader.readFlag()  // protection_absent
        let objectType = UInt8(try reader.read(2)) + 1
        let rateIndex = Int(try reader.read(4))
        guard AudioSpecificConfig.sampleRates.indices.contains(rateIndex) else {
            throw .invalid("samplingFrequencyIndex")
        }
        try reader.skip(1)  // private_bit
        stream = Stream(
            objectType: objectType,
            sampleRate: AudioSpecificConfig.sampleRates[rateIndex],
            channelConfiguration: UInt8(try reader.read(3))
        )
        try reader.skip(4)  // original_copy, home, copyright_identification_bit and _start
        frameLength = Int(try reader.read(13))
        try reader.skip(11)  // adts_buffer_fullness
        rawDataBlocks = Int(try reader.read(2)) + 1
        // § 1.A.2.2: with a checksum, all but the first block have their position said.
        headerLength = hasChecksum ? 7 + 2 * rawDataBlocks : 7
        guard frameLength >= headerLength else { throw .invalid("aac_frame_length") }
    }

    var sampleRate: Int { stream.sampleRate }
    var samples: Int { rawDataBlocks * AACConfiguration.samplesPerFrame }
}
