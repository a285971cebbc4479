/// The header ahead of an AAC frame in a transport stream (ISO/IEC 14496-3 § 1.A.2.2).
struct ADTSHeader: AudioFrameHeader, Hashable, Sendable {
    /// What stays the same from frame to frame and makes the configuration.
    var stream: Stream
    /// Bytes of the header, checksum included.
    var headerLength: Int
    /// Bytes of header and frame.
    var frameLength: Int

    /// adts_fixed_header() as far as a decoder needs it.
    struct Stream: Hashable, Sendable {
        var objectType: UInt8
        var sampleRate: Int
        var channelConfiguration: UInt8
    }

    /// - Throws: ``CodecError`` where there is no header, or it stands ahead of several frames.
    init(_ bytes: RawSpan) throws(CodecError) {
        var reader = BitReader(bytes)
        guard try reader.read(12) == 0xFFF else { throw .invalid("ADTS syncword") }
        try reader.skip(1)  // ID
        guard try reader.read(2) == 0 else { throw .invalid("ADTS layer") }
        headerLength = try reader.readFlag() ? 7 : 9  // protection_absent
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
        // Where one raw data block ends and the next starts is not written without a checksum.
        guard try reader.read(2) == 0 else { throw .unsupported("several raw data blocks in an ADTS frame") }
        guard frameLength > headerLength else { throw .invalid("aac_frame_length") }
    }
}
