/// The part of a picture parameter set of the base layer that a slice segment header needs (ISO/IEC 23008-2 § 7.3.2.3).
struct HEVCPictureParameterSet: PictureParameters, Hashable {
    /// The NAL unit, header included, emulation prevention in place.
    var nalUnit: [UInt8]
    /// pps_pic_parameter_set_id.
    var id: Int
    /// pps_seq_parameter_set_id.
    var sequenceParameterSetID: Int
    var hasDependentSliceSegments: Bool
    /// output_flag_present_flag.
    var hasOutputFlag: Bool
    /// num_extra_slice_header_bits.
    var extraSliceHeaderBits: Int
    /// cabac_init_present_flag.
    var hasCABACInit: Bool
    /// num_ref_idx_l0_default_active_minus1 + 1.
    var defaultReferencesInList0: Int
    /// num_ref_idx_l1_default_active_minus1 + 1.
    var defaultReferencesInList1: Int
    /// pps_slice_chroma_qp_offsets_present_flag.
    var hasChromaOffsets: Bool
    var hasWeightedPrediction: Bool
    var hasWeightedBiprediction: Bool
    /// True if slice segments have entry points: tiles_enabled_flag or entropy_coding_sync_enabled_flag.
    var hasEntryPoints: Bool
    /// pps_loop_filter_across_slices_enabled_flag.
    var filtersAcrossSlices: Bool
    /// deblocking_filter_override_enabled_flag.
    var hasDeblockingOverride = false
    /// pps_deblocking_filter_disabled_flag.
    var isDeblockingDisabled = false
    /// lists_modification_present_flag.
    var hasListModification: Bool
    /// slice_segment_header_extension_present_flag.
    var hasSliceHeaderExtension: Bool
    /// chroma_qp_offset_list_enabled_flag.
    var hasChromaOffsetList = false
    /// pps_curr_pic_ref_enabled_flag.
    var mayReferToItself = false
    /// pps_slice_act_qp_offsets_present_flag.
    var hasColourTransformOffsets = false

    /// - Parameter nalUnit: The NAL unit, header included.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range.
    init(_ nalUnit: RawSpan) throws(CodecError) {
        self.nalUnit = nalUnit.withUnsafeBytes { Array($0) }
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8 * HEVCNALUnitType.headerSize)
        id = try reader.readUnsignedGolomb(upTo: 63, "pps_pic_parameter_set_id")
        sequenceParameterSetID = try reader.readUnsignedGolomb(upTo: 15, "pps_seq_parameter_set_id")
        hasDependentSliceSegments = try reader.readFlag()
        hasOutputFlag = try reader.readFlag()
        extraSliceHeaderBits = Int(try reader.read(3))
        try reader.skip(1)  // sign_data_hiding_enabled_flag
        hasCABACInit = try reader.readFlag()
        defaultReferencesInList0 = try 1 + reader.readUnsignedGolomb(upTo: 14, "num_ref_idx_l0_default_active_minus1")
        defaultReferencesInList1 = try 1 + reader.readUnsignedGolomb(upTo: 14, "num_ref_idx_l1_default_active_minus1")
        _ = try reader.readSignedGolomb()  // init_qp_minus26
        try reader.skip(1)  // constrained_intra_pred_flag
        let skipsTransforms = try reader.readFlag()
        if try reader.readFlag() { _ = try reader.readUnsignedGolomb() }  // diff_cu_qp_delta_depth
        _ = try reader.readSignedGolomb()  // pps_cb_qp_offset
        _ = try reader.readSignedGolomb()  // pps_cr_qp_offset
        hasChromaOffsets = try reader.readFlag()
        hasWeightedPrediction = try reader.readFlag()
        hasWeightedBiprediction = try reader.readFlag()
        try reader.skip(1)  // transquant_bypass_enabled_flag
        let (hasTiles, hasWavefronts) = try (reader.readFlag(), reader.readFlag())
        hasEntryPoints = hasTiles || hasWavefronts
        if hasTiles { try Self.skipTiles(&reader) }
        filtersAcrossSlices = try reader.readFlag()
        if try reader.readFlag() {  // deblocking_filter_control_present_flag
            hasDeblockingOverride = try reader.readFlag()
            isDeblockingDisabled = try reader.readFlag()
            if !isDeblockingDisabled {
                _ = try reader.readSignedGolomb()  // pps_beta_offset_div2
                _ = try reader.readSignedGolomb()  // pps_tc_offset_div2
            }
        }
        if try reader.readFlag() { try reader.skipScalingLists() }
        hasListModification = try reader.readFlag()
        _ = try reader.readUnsignedGolomb()  // log2_parallel_merge_level_minus2
        hasSliceHeaderExtension = try reader.readFlag()
        if try reader.readFlag() { try readExtensions(&reader, skipsTransforms: skipsTransforms) }
    }

    private static func skipTiles(_ reader: inout BitReader) throws(CodecError) {
        let columns = try reader.readUnsignedGolomb(upTo: 65_535, "num_tile_columns_minus1")
        let rows = try reader.readUnsignedGolomb(upTo: 65_535, "num_tile_rows_minus1")
        if try !reader.readFlag() {  // uniform_spacing_flag
            for _ in 0..<columns + rows { _ = try reader.readUnsignedGolomb() }
        }
        try reader.skip(1)  // loop_filter_across_tiles_enabled_flag
    }

    /// Reads those extensions that slices depend on.
    private mutating func readExtensions(_ reader: inout BitReader, skipsTransforms: Bool) throws(CodecError) {
        let (hasRange, hasMultilayer, has3D) = try (reader.readFlag(), reader.readFlag(), reader.readFlag())
        let hasScreenContent = try reader.readFlag()
        try reader.skip(4)
        if hasRange {
            if skipsTransforms { _ = try reader.readUnsignedGolomb() }  // log2_max_transform_skip_block_size_minus2
            try reader.skip(1)  // cross_component_prediction_enabled_flag
            hasChromaOffsetList = try reader.readFlag()
            if hasChromaOffsetList {
                _ = try reader.readUnsignedGolomb()  // diff_cu_chroma_qp_offset_depth
                let entries = try 1 + reader.readUnsignedGolomb(upTo: 5, "chroma_qp_offset_list_len_minus1")
                for _ in 0..<2 * entries { _ = try reader.readSignedGolomb() }
            }
            _ = try reader.readUnsignedGolomb()  // log2_sao_offset_scale_luma
            _ = try reader.readUnsignedGolomb()  // log2_sao_offset_scale_chroma
        }
        // No profile has those of several layers and of screen content in its base layer.
        guard hasScreenContent, !hasMultilayer, !has3D else { return }
        mayReferToItself = try reader.readFlag()
        // residual_adaptive_colour_transform_enabled_flag
        if try reader.readFlag() { hasColourTransformOffsets = try reader.readFlag() }
    }
}
