import MediaCore

/// A sequence header (AV1 § 5.5): what stands for all frames until another one comes.
struct AV1SequenceHeader: Hashable, Sendable {
    var profile: UInt8
    /// reduced_still_picture_header: frame headers leave out nearly everything.
    var isReducedStillPicture: Bool
    var operatingPoints: [OperatingPoint] = []
    /// Frames a second if pictures are signalled to come at equal intervals.
    var frameRate: Ratio?
    /// Bits of buffer_removal_time; 0 without a decoder model.
    var removalTimeBits = 0
    /// Bits of frame_presentation_time; 0 if frames have none.
    var presentationTimeBits = 0
    /// Bits of frame_width_minus_1 and frame_height_minus_1.
    var frameWidthBits = 0
    var frameHeightBits = 0
    var maxFrameWidth = 0
    var maxFrameHeight = 0
    /// Bits of delta_frame_id_minus_1 and of frame ids; 0 without frame ids.
    var deltaFrameIDBits = 0
    var frameIDBits = 0
    var has128x128Superblocks = false
    var hasWarpedMotion = false
    var hasReferenceFrameMotionVectors = false
    /// seq_force_screen_content_tools and seq_force_integer_mv; nil if each frame selects.
    var forcesScreenContentTools: Bool?
    var forcesIntegerMotionVectors: Bool?
    /// OrderHintBits; 0 without order hints.
    var orderHintBits = 0
    var hasSuperResolution = false
    var hasCDEF = false
    var hasRestoration = false
    var colour = AV1ColourConfiguration()
    var hasFilmGrain = false

    /// The layers that decoders of a capability may choose to decode.
    struct OperatingPoint: Hashable, Sendable {
        /// operating_point_idc: its layers.
        var layers: UInt32 = 0
        /// seq_level_idx.
        var level: UInt8
        var isHighTier = false
        /// decoder_model_present_for_this_op.
        var hasDecoderModel = false

        /// Returns true if frames of these layers belong to it.
        func includes(temporalID: Int, spatialID: Int) -> Bool {
            layers == 0 || layers >> UInt32(temporalID) & 1 == 1 && layers >> UInt32(spatialID + 8) & 1 == 1
        }
    }

    /// - Parameter payload: A sequence header OBU without its header.
    /// - Throws: ``CodecError`` if it is cut short or has an unknown profile.
    init(_ payload: RawSpan) throws(CodecError) {
        var reader = BitReader(payload)
        profile = UInt8(try reader.read(3))
        guard profile <= 2 else { throw .unsupported("seq_profile") }
        try reader.skip(1)  // still_picture
        isReducedStillPicture = try reader.readFlag()
        if isReducedStillPicture {
            operatingPoints = [OperatingPoint(level: UInt8(try reader.read(5)))]
        } else {
            try readOperation(&reader)
        }
        frameWidthBits = try 1 + Int(reader.read(4))
        frameHeightBits = try 1 + Int(reader.read(4))
        maxFrameWidth = try 1 + Int(reader.read(frameWidthBits))
        maxFrameHeight = try 1 + Int(reader.read(frameHeightBits))
        // frame_id_numbers_present_flag
        if !isReducedStillPicture, try reader.readFlag() {
            deltaFrameIDBits = try 2 + Int(reader.read(4))
            frameIDBits = try deltaFrameIDBits + 1 + Int(reader.read(3))
        }
        has128x128Superblocks = try reader.readFlag()
        try reader.skip(2)  // enable_filter_intra, enable_intra_edge_filter
        if !isReducedStillPicture { try readTools(&reader) }
        hasSuperResolution = try reader.readFlag()
        hasCDEF = try reader.readFlag()
        hasRestoration = try reader.readFlag()
        colour = try AV1ColourConfiguration(&reader, profile: profile)
        hasFilmGrain = try reader.readFlag()
    }

    /// get_relative_dist() (§ 5.9.3): how far an order hint is behind another one, negative if it is ahead of it.
    func distance(_ first: Int, _ second: Int) -> Int {
        guard orderHintBits > 0 else { return 0 }
        let sign = 1 << (orderHintBits - 1)
        let difference = first - second
        return (difference & (sign - 1)) - (difference & sign)
    }

    /// Reads timing_info_present_flag to the last operating point.
    private mutating func readOperation(_ reader: inout BitReader) throws(CodecError) {
        var hasDecoderModel = false
        var bufferDelayBits = 0
        if try reader.readFlag() {  // timing_info_present_flag
            let hasEqualIntervals = try readTiming(&reader)
            hasDecoderModel = try reader.readFlag()
            if hasDecoderModel {
                bufferDelayBits = try 1 + Int(reader.read(5))
                try reader.skip(32)  // num_units_in_decoding_tick
                removalTimeBits = try 1 + Int(reader.read(5))
                let bits = try 1 + Int(reader.read(5))
                // § 5.9.2: temporal_point_info() exists only if intervals between pictures differ.
                if !hasEqualIntervals { presentationTimeBits = bits }
            }
        }
        let hasDisplayDelay = try reader.readFlag()
        for _ in 0...(try reader.read(5)) {
            let layers = try reader.read(12)
            var point = OperatingPoint(layers: layers, level: UInt8(try reader.read(5)))
            if point.level > 7 { point.isHighTier = try reader.readFlag() }
            if hasDecoderModel {
                point.hasDecoderModel = try reader.readFlag()
                // decoder_buffer_delay, encoder_buffer_delay, low_delay_mode_flag
                if point.hasDecoderModel { try reader.skip(2 * bufferDelayBits + 1) }
            }
            if hasDisplayDelay, try reader.readFlag() { try reader.skip(4) }  // initial_display_delay_minus_1
            operatingPoints.append(point)
        }
    }

    /// timing_info() (§ 5.5.3).
    ///
    /// - Returns: equal_picture_interval.
    private mutating func readTiming(_ reader: inout BitReader) throws(CodecError) -> Bool {
        let (unitsInTick, timescale) = (Int(try reader.read(32)), Int(try reader.read(32)))
        guard try reader.readFlag() else { return false }
        let ticks = try 1 + Int(reader.readUVLC())
        let (units, overflow) = unitsInTick.multipliedReportingOverflow(by: ticks)
        if units > 0, timescale > 0, !overflow { frameRate = Ratio(lowestTerms: timescale, units) }
        return true
    }

    /// Reads enable_interintra_compound to order_hint_bits_minus_1.
    private mutating func readTools(_ reader: inout BitReader) throws(CodecError) {
        try reader.skip(2)  // enable_interintra_compound, enable_masked_compound
        hasWarpedMotion = try reader.readFlag()
        try reader.skip(1)  // enable_dual_filter
        let hasOrderHint = try reader.readFlag()
        if hasOrderHint {
            try reader.skip(1)  // enable_jnt_comp
            hasReferenceFrameMotionVectors = try reader.readFlag()
        }
        if try !reader.readFlag() { forcesScreenContentTools = try reader.readFlag() }
        if forcesScreenContentTools != false, try !reader.readFlag() {
            forcesIntegerMotionVectors = try reader.readFlag()
        }
        if hasOrderHint { orderHintBits = try 1 + Int(reader.read(3)) }
    }
}
