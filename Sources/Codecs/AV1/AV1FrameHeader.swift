/// A frame header, read for its length: the tiles follow it in a frame OBU.
///
/// Its length is written nowhere, so the whole of uncompressed_header() (AV1 § 5.9.2) is walked through.
struct AV1FrameHeader: Sendable {
    /// show_existing_frame: there are no tiles, and the frame is one from before.
    private(set) var showsExistingFrame = false
    private(set) var type = FrameType.key
    /// show_frame.
    private(set) var isShown = true
    private(set) var tiles = AV1TileLayout()
    /// Bits of the header.
    private(set) var bitCount = 0

    /// frame_type (§ 6.8.2).
    enum FrameType: UInt8, Sendable {
        case key, inter, intraOnly, switching

        fileprivate var isIntra: Bool { self == .key || self == .intraOnly }
    }

    private static let allFrames: UInt32 = 0xFF

    private let sequence: AV1SequenceHeader
    private var isShowable = false
    private var isErrorResilient = true
    private var allowsScreenContentTools = false
    private var forcesIntegerMotionVectors = false
    private var overridesFrameSize = false
    /// ref_frame_idx.
    private var slots: [Int] = []
    /// The slot that primary_ref_frame names; nil is PRIMARY_REF_NONE.
    private var primarySlot: Int?
    private var allowsIntraBlockCopy = false
    private var allowsHighPrecisionMotionVectors = false
    private var frameWidth = 0
    /// The values that it leaves behind for other frames.
    private var frame = AV1ReferenceFrames.Frame(isValid: true)

    /// Reads only whether it is of a shown key frame, which depends on no other frame.
    ///
    /// - Throws: ``CodecError/truncated``.
    static func isShownKeyFrame(_ payload: RawSpan, sequence: AV1SequenceHeader) throws(CodecError) -> Bool {
        if sequence.isReducedStillPicture { return true }
        var reader = BitReader(payload)
        // show_existing_frame 0, frame_type KEY_FRAME, show_frame 1.
        return try reader.read(4) == 0b0001
    }

    /// Reads the header of a frame.
    ///
    /// - Parameters:
    ///   - obu: A frame or frame header OBU.
    ///   - sequence: The sequence header that stands.
    ///   - references: The frames before it, which take it in.
    /// - Throws: ``CodecError`` if the header is cut short, has a forbidden value or depends on a frame that is not
    ///   there.
    init(
        _ obu: borrowing OBU,
        sequence: AV1SequenceHeader,
        references: inout AV1ReferenceFrames
    ) throws(CodecError) {
        self.sequence = sequence
        var reader = BitReader(obu.payload)
        try readKind(&reader, references)
        let refreshed: UInt32
        if showsExistingFrame {
            // § 7.21: a key frame that is shown later starts over from there.
            refreshed = frame.type == .key ? Self.allFrames : 0
        } else {
            refreshed = try readStart(&reader, obu, &references)
            try readRest(&reader, references)
        }
        references.update(with: frame, flags: refreshed)
        bitCount = reader.bitPosition
    }

    /// Reads show_existing_frame to error_resilient_mode.
    private mutating func readKind(
        _ reader: inout BitReader,
        _ references: AV1ReferenceFrames
    ) throws(CodecError) {
        guard !sequence.isReducedStillPicture else { return frame.type = .key }
        showsExistingFrame = try reader.readFlag()
        if showsExistingFrame {
            frame = references[Int(try reader.read(3))]
            type = frame.type
            try reader.skip(sequence.presentationTimeBits + sequence.frameIDBits)
            guard frame.isValid else { throw .invalid("reference frame") }
            return
        }
        type = FrameType(rawValue: UInt8(try reader.read(2))) ?? .key
        frame.type = type
        isShown = try reader.readFlag()
        if isShown { try reader.skip(sequence.presentationTimeBits) }
        isShowable = isShown ? type != .key : try reader.readFlag()
        if type != .switching, type != .key || !isShown { isErrorResilient = try reader.readFlag() }
    }

    /// Reads disable_cdf_update to disable_frame_end_update_cdf.
    ///
    /// - Returns: refresh_frame_flags.
    private mutating func readStart(
        _ reader: inout BitReader,
        _ obu: borrowing OBU,
        _ references: inout AV1ReferenceFrames
    ) throws(CodecError) -> UInt32 {
        let startsOver = type == .key && isShown
        let disablesCDFUpdate = try reader.readFlag()
        allowsScreenContentTools = try reader.readFlag(unless: sequence.forcesScreenContentTools)
        if allowsScreenContentTools {
            forcesIntegerMotionVectors = try reader.readFlag(unless: sequence.forcesIntegerMotionVectors)
        }
        try reader.skip(sequence.frameIDBits)  // current_frame_id
        overridesFrameSize = type == .switching
        if type != .switching, !sequence.isReducedStillPicture { overridesFrameSize = try reader.readFlag() }
        frame.orderHint = Int(try reader.read(sequence.orderHintBits))
        let primaryReference = type.isIntra || isErrorResilient ? 7 : Int(try reader.read(3))
        if sequence.removalTimeBits > 0, try reader.readFlag() {
            for point in sequence.operatingPoints where point.hasDecoderModel {
                guard point.includes(temporalID: obu.temporalID, spatialID: obu.spatialID) else { continue }
                try reader.skip(sequence.removalTimeBits)  // buffer_removal_time
            }
        }
        let refreshed = startsOver || type == .switching ? Self.allFrames : try reader.read(8)
        if !type.isIntra || refreshed != Self.allFrames, isErrorResilient, sequence.orderHintBits > 0 {
            for slot in 0..<AV1ReferenceFrames.count {
                let orderHint = Int(try reader.read(sequence.orderHintBits))
                // A frame of another order hint was lost: a decoder puts a grey one in its place.
                if orderHint != references[slot].orderHint { references[slot] = .init(orderHint: orderHint) }
            }
        }
        if type.isIntra {
            try readFrameSize(&reader)
            if allowsScreenContentTools, frame.upscaledWidth == frameWidth {
                allowsIntraBlockCopy = try reader.readFlag()
            }
        } else {
            try readReferences(&reader, references)
        }
        // § 6.8.2: PRIMARY_REF_NONE is 7.
        if primaryReference < AV1ReferenceFrames.perFrame { primarySlot = slots[primaryReference] }
        // disable_frame_end_update_cdf
        if !sequence.isReducedStillPicture, !disablesCDFUpdate { try reader.skip(1) }
        return refreshed
    }

    /// Reads frame_refs_short_signaling to use_ref_frame_mvs.
    private mutating func readReferences(
        _ reader: inout BitReader,
        _ references: AV1ReferenceFrames
    ) throws(CodecError) {
        let isShort = try reader.readFlag(if: sequence.orderHintBits > 0)
        if isShort {
            let (last, golden) = (Int(try reader.read(3)), Int(try reader.read(3)))
            slots = references.slots(last: last, golden: golden, orderHint: frame.orderHint, in: sequence)
        }
        for _ in 0..<AV1ReferenceFrames.perFrame {
            if !isShort { slots.append(Int(try reader.read(3))) }
            try reader.skip(sequence.deltaFrameIDBits)  // delta_frame_id_minus_1
        }
        if overridesFrameSize, !isErrorResilient, let slot = try readFoundReference(&reader) {
            guard references[slot].isValid else { throw .invalid("reference frame") }
            frame.upscaledWidth = references[slot].upscaledWidth
            frame.height = references[slot].height
            try readSuperResolution(&reader)
        } else {
            try readFrameSize(&reader)
        }
        if !forcesIntegerMotionVectors { allowsHighPrecisionMotionVectors = try reader.readFlag() }
        if try !reader.readFlag() { try reader.skip(2) }  // is_filter_switchable, interpolation_filter
        try reader.skip(1)  // is_motion_mode_switchable
        if !isErrorResilient, sequence.hasReferenceFrameMotionVectors { try reader.skip(1) }  // use_ref_frame_mvs
    }

    /// The part of frame_size_with_refs() (§ 5.9.7) that names a reference.
    ///
    /// - Returns: Nil if none is of the frame's size.
    private func readFoundReference(_ reader: inout BitReader) throws(CodecError) -> Int? {
        for slot in slots where try reader.readFlag() { return slot }
        return nil
    }

    /// frame_size() and render_size() (§ 5.9.5, 5.9.6).
    private mutating func readFrameSize(_ reader: inout BitReader) throws(CodecError) {
        (frame.upscaledWidth, frame.height) = (sequence.maxFrameWidth, sequence.maxFrameHeight)
        if overridesFrameSize {
            frame.upscaledWidth = try 1 + Int(reader.read(sequence.frameWidthBits))
            frame.height = try 1 + Int(reader.read(sequence.frameHeightBits))
        }
        try readSuperResolution(&reader)
        if try reader.readFlag() { try reader.skip(32) }  // render_width_minus_1, render_height_minus_1
    }

    /// superres_params() (§ 5.9.8).
    private mutating func readSuperResolution(_ reader: inout BitReader) throws(CodecError) {
        frameWidth = frame.upscaledWidth
        guard sequence.hasSuperResolution, try reader.readFlag() else { return }
        let denominator = try 9 + Int(reader.read(3))
        frameWidth = (frame.upscaledWidth * 8 + denominator / 2) / denominator
    }

    /// Reads tile_info() to the end.
    private mutating func readRest(
        _ reader: inout BitReader,
        _ references: AV1ReferenceFrames
    ) throws(CodecError) {
        let primary = primarySlot.map { references[$0] }
        guard primary?.isValid != false else { throw .invalid("reference frame") }
        tiles = try AV1TileLayout(
            &reader,
            width: frameWidth,
            height: frame.height,
            has128x128Superblocks: sequence.has128x128Superblocks
        )
        let quantization = try AV1Quantization(&reader, colour: sequence.colour)
        frame.segmentation = try AV1Segmentation(&reader, previous: primary?.segmentation)
        // delta_q_params(), delta_lf_params() (§ 5.9.17, 5.9.18)
        if quantization.base > 0, try reader.readFlag() {
            try reader.skip(2)  // delta_q_res
            if !allowsIntraBlockCopy, try reader.readFlag() { try reader.skip(3) }  // delta_lf_res, delta_lf_multi
        }
        let isLossless = quantization.isLossless(in: frame.segmentation)
        try AV1LoopFilters.skip(
            &reader,
            sequence: sequence,
            isLossless: isLossless,
            isUpscaled: frameWidth != frame.upscaledWidth,
            allowsIntraBlockCopy: allowsIntraBlockCopy
        )
        if !isLossless { try reader.skip(1) }  // tx_mode_select
        // reference_select, skip_mode_present
        if try reader.readFlag(if: !type.isIntra),
            references.allowSkipMode(slots, orderHint: frame.orderHint, in: sequence)
        {
            try reader.skip(1)
        }
        if !type.isIntra, !isErrorResilient, sequence.hasWarpedMotion { try reader.skip(1) }  // allow_warped_motion
        try reader.skip(1)  // reduced_tx_set
        if !type.isIntra {
            try AV1GlobalMotion.skip(&reader, hasHighPrecision: allowsHighPrecisionMotionVectors)
        }
        if sequence.hasFilmGrain, isShown || isShowable {
            try AV1FilmGrain.skip(&reader, colour: sequence.colour, isInter: type == .inter)
        }
    }
}
