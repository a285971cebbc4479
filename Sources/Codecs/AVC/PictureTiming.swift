import MediaCore

/// The label in a picture timing SEI message (ISO/IEC 14496-10 § D.1.3).
enum PictureTiming {
    static let payloadType = 1

    /// The values of a sequence parameter set that the message's syntax depends on.
    struct Syntax: Hashable, Sendable {
        /// Bits of cpb_removal_delay and dpb_output_delay; 0 without hypothetical reference decoder parameters.
        var delayBits = 0
        /// time_offset_length (§ E.2.2: 24 without such parameters).
        var timeOffsetBits = 24
        /// pic_struct_present_flag, without which there are no clock timestamps.
        var hasPictureStructure = false

        init() {}

        /// Reads vui_parameters() from nal_hrd_parameters_present_flag to pic_struct_present_flag (§ E.1.1).
        init(_ reader: inout BitReader) throws(CodecError) {
            var hasParameters = false
            for _ in 0..<2 where try reader.readFlag() {  // those of NAL units, then of VCL NAL units
                // § E.2.2: the lengths are the same in both.
                try readDecoderParameters(&reader)
                hasParameters = true
            }
            if hasParameters { try reader.skip(1) }  // low_delay_hrd_flag
            hasPictureStructure = try reader.readFlag()
        }

        /// hrd_parameters() (§ E.1.2).
        private mutating func readDecoderParameters(_ reader: inout BitReader) throws(CodecError) {
            let count = try 1 + reader.readUnsignedGolomb(upTo: 31, "cpb_cnt_minus1")
            try reader.skip(8)  // bit_rate_scale, cpb_size_scale
            for _ in 0..<count {
                _ = try reader.readUnsignedGolomb()  // bit_rate_value_minus1
                _ = try reader.readUnsignedGolomb()  // cpb_size_value_minus1
                try reader.skip(1)  // cbr_flag
            }
            try reader.skip(5)  // initial_cpb_removal_delay_length_minus1
            delayBits = try Int(1 + reader.read(5)) + Int(1 + reader.read(5))
            timeOffsetBits = Int(try reader.read(5))
        }
    }

    /// Clock timestamps that each pic_struct allows (Table D-1); other values are reserved.
    private static let timestampCounts = [1, 1, 1, 2, 2, 3, 3, 2, 3]

    /// Reads the label of a picture: its first clock timestamp, which is for the field shown first.
    ///
    /// - Parameters:
    ///   - nalUnit: A supplemental enhancement information NAL unit, header byte included.
    ///   - syntax: The syntax of the sequence parameter set that the picture uses.
    ///   - timestamp: The state that stays from one picture to the next.
    /// - Returns: Nil if there is no such message, no clock timestamp in it, or none that is whole.
    /// - Throws: ``CodecError`` if the message is cut short or has a reserved pic_struct.
    static func timecode(
        in nalUnit: RawSpan,
        syntax: Syntax,
        timestamp: inout ClockTimestamp
    ) throws(CodecError) -> Timecode? {
        guard syntax.hasPictureStructure, var message = try SEIMessage.first(ofType: payloadType, in: nalUnit) else {
            return nil
        }
        try message.reader.skip(syntax.delayBits)
        let structure = Int(try message.reader.read(4))
        guard timestampCounts.indices.contains(structure) else { throw .invalid("pic_struct") }
        for _ in 0..<timestampCounts[structure] where try message.reader.readFlag() {
            // ct_type and nuit_field_based_flag: FFmpeg and GStreamer count frames whatever the flag says, and so
            // do encoders that leave it at 0.
            try message.reader.skip(3)
            var next = timestamp
            let timecode = try next.read(&message.reader, frameBits: 8)
            try message.reader.skip(syntax.timeOffsetBits)
            guard !message.isOverrun else { throw .truncated }
            timestamp = next
            return timecode
        }
        return nil
    }
}
