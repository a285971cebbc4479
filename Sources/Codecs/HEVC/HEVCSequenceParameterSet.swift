import MediaCore

/// A sequence parameter set of the base layer (ISO/IEC 23008-2 § 7.3.2.2).
struct HEVCSequenceParameterSet: ParameterSet, Hashable {
    /// The NAL unit, header included, emulation prevention in place.
    var nalUnit: [UInt8]
    /// sps_seq_parameter_set_id.
    var id: Int
    var videoParameterSetID: Int
    /// sps_max_sub_layers_minus1.
    var subLayers: Int
    var isTemporalIDNested: Bool
    var profileTierLevel: HEVCConfiguration.ProfileTierLevel
    /// chroma_format_idc.
    var chromaFormat: Int
    var hasSeparateColourPlanes = false
    var lumaBitDepth: Int
    var chromaBitDepth: Int
    /// Size in pixels after cropping.
    var width: Int
    var height: Int
    /// PicSizeInCtbsY.
    var codingTreeBlocks: Int
    /// Bits of slice_pic_order_cnt_lsb.
    var orderBits: Int
    var hasSampleAdaptiveOffset: Bool
    var shortTermReferences: [ShortTermReferences] = []
    /// Long-term reference pictures; nil if there are none.
    var longTermReferences: LongTermReferences?
    var hasTemporalMotionVectors: Bool
    /// motion_vector_resolution_control_idc is 2: every slice says for itself whether its motion vectors are integers.
    var hasMotionVectorResolutionInSlices = false
    var usability = HEVCVideoUsabilityInformation()

    /// Long-term reference pictures that slices may name by their index.
    struct LongTermReferences: Hashable, Sendable {
        /// used_by_curr_pic_lt_sps_flag.
        var areUsedByCurrent: [Bool] = []
    }

    /// ChromaArrayType.
    var chromaArrayType: Int { hasSeparateColourPlanes ? 0 : chromaFormat }

    /// - Parameter nalUnit: The NAL unit, header included.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range. Usability information that cannot
    ///   be read is taken as absent, and with it the extensions behind it: most pictures decode without them.
    init(_ nalUnit: RawSpan) throws(CodecError) {
        self.nalUnit = nalUnit.withUnsafeBytes { Array($0) }
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8 * HEVCNALUnitType.headerSize)
        videoParameterSetID = Int(try reader.read(4))
        subLayers = Int(try reader.read(3))
        guard subLayers < 7 else { throw .invalid("sps_max_sub_layers_minus1") }
        isTemporalIDNested = try reader.readFlag()
        profileTierLevel = try HEVCConfiguration.ProfileTierLevel(&reader, subLayers: subLayers)
        id = try reader.readUnsignedGolomb(upTo: 15, "sps_seq_parameter_set_id")
        chromaFormat = try reader.readUnsignedGolomb(upTo: 3, "chroma_format_idc")
        if chromaFormat == 3 { hasSeparateColourPlanes = try reader.readFlag() }
        let codedWidth = try reader.readUnsignedGolomb(upTo: 65_535, "pic_width_in_luma_samples")
        let codedHeight = try reader.readUnsignedGolomb(upTo: 65_535, "pic_height_in_luma_samples")
        (width, height) = (codedWidth, codedHeight)
        if try reader.readFlag() {
            // Table 6-1: the window counts in chroma samples.
            width -= try (1...2 ~= chromaFormat ? 2 : 1) * Self.readCropping(&reader)
            height -= try (chromaFormat == 1 ? 2 : 1) * Self.readCropping(&reader)
        }
        guard width > 0, height > 0 else { throw .invalid("conformance window") }
        lumaBitDepth = try 8 + reader.readUnsignedGolomb(upTo: 8, "bit_depth_luma_minus8")
        chromaBitDepth = try 8 + reader.readUnsignedGolomb(upTo: 8, "bit_depth_chroma_minus8")
        orderBits = try 4 + reader.readUnsignedGolomb(upTo: 12, "log2_max_pic_order_cnt_lsb_minus4")
        try reader.skipSubLayerOrdering(subLayers: subLayers)
        let blockBits = try Self.readBlockSize(&reader)
        codingTreeBlocks = [codedWidth, codedHeight].reduce(1) { $0 * (($1 - 1) >> blockBits + 1) }
        if try reader.readFlag(), try reader.readFlag() { try reader.skipScalingLists() }
        try reader.skip(1)  // amp_enabled_flag
        hasSampleAdaptiveOffset = try reader.readFlag()
        if try reader.readFlag() {  // pcm_enabled_flag
            try reader.skip(8)  // bit depths
            _ = try reader.readUnsignedGolomb()  // log2_min_pcm_luma_coding_block_size_minus3
            _ = try reader.readUnsignedGolomb()  // log2_diff_max_min_pcm_luma_coding_block_size
            try reader.skip(1)  // pcm_loop_filter_disabled_flag
        }
        for _ in 0..<(try reader.readUnsignedGolomb(upTo: 64, "num_short_term_ref_pic_sets")) {
            let references = try ShortTermReferences(&reader, earlier: shortTermReferences, isInSlice: false)
            shortTermReferences.append(references)
        }
        if try reader.readFlag() { longTermReferences = try Self.readLongTerm(&reader, orderBits: orderBits) }
        hasTemporalMotionVectors = try reader.readFlag()
        try reader.skip(1)  // strong_intra_smoothing_enabled_flag
        if try reader.readFlag() {
            guard let read = try? HEVCVideoUsabilityInformation(&reader, subLayers: subLayers) else { return }
            usability = read
        }
        if try reader.readFlag() { try readExtensions(&reader) }
    }

    private static func readCropping(_ reader: inout BitReader) throws(CodecError) -> Int {
        let first = try reader.readUnsignedGolomb(upTo: 65_535, "conformance window")
        return try first + reader.readUnsignedGolomb(upTo: 65_535, "conformance window")
    }

    /// Reads the block sizes.
    ///
    /// - Returns: CtbLog2SizeY.
    private static func readBlockSize(_ reader: inout BitReader) throws(CodecError) -> Int {
        let smallest = try 3 + reader.readUnsignedGolomb(upTo: 3, "log2_min_luma_coding_block_size_minus3")
        let bits = try smallest + reader.readUnsignedGolomb(upTo: 3, "log2_diff_max_min_luma_coding_block_size")
        guard bits <= 6 else { throw .invalid("size of coding tree blocks") }
        // log2_min_luma_transform_block_size_minus2 to max_transform_hierarchy_depth_intra
        for _ in 0..<4 { _ = try reader.readUnsignedGolomb() }
        return bits
    }

    private static func readLongTerm(
        _ reader: inout BitReader,
        orderBits: Int
    ) throws(CodecError) -> LongTermReferences {
        var references = LongTermReferences()
        for _ in 0..<(try reader.readUnsignedGolomb(upTo: 32, "num_long_term_ref_pics_sps")) {
            try reader.skip(orderBits)  // lt_ref_pic_poc_lsb_sps
            references.areUsedByCurrent.append(try reader.readFlag())
        }
        return references
    }

    /// Reads those extensions that slices depend on.
    private mutating func readExtensions(_ reader: inout BitReader) throws(CodecError) {
        let (hasRange, hasMultilayer, has3D) = try (reader.readFlag(), reader.readFlag(), reader.readFlag())
        let hasScreenContent = try reader.readFlag()
        try reader.skip(4)
        if hasRange { try reader.skip(9) }
        if hasMultilayer { try reader.skip(1) }  // inter_view_mv_vert_constraint_flag
        // No profile has both.
        guard hasScreenContent, !has3D else { return }
        try reader.skip(1)  // sps_curr_pic_ref_enabled_flag
        if try reader.readFlag() {  // palette_mode_enabled_flag
            _ = try reader.readUnsignedGolomb()  // palette_max_size
            _ = try reader.readUnsignedGolomb()  // delta_palette_max_predictor_size
            if try reader.readFlag() {
                let entries = try 1 + reader.readUnsignedGolomb(upTo: 127, "sps_num_palette_predictor_initializers")
                try reader.skip(entries * (lumaBitDepth + (chromaFormat == 0 ? 0 : 2 * chromaBitDepth)))
            }
        }
        hasMotionVectorResolutionInSlices = try reader.read(2) == 2
    }
}
