import MediaCore

/// The part of the video usability information that a file format repeats (ISO/IEC 23008-2 § E.2.1).
struct HEVCVideoUsabilityInformation: Hashable, Sendable {
    var sampleAspectRatio = Ratio(1, 1)
    var colour: ColourDescription?
    /// Pictures a second; of fields, those are fields.
    var frameRate: Ratio?
    /// field_seq_flag: every picture is a field.
    var isFieldSequence = false
    /// min_spatial_segmentation_idc; 0 if nothing is promised.
    var minimumSpatialSegmentation = 0

    /// Creates the information of a stream that has none.
    init() {}

    /// Reads vui_parameters().
    ///
    /// - Parameters:
    ///   - reader: At aspect_ratio_info_present_flag.
    ///   - subLayers: sps_max_sub_layers_minus1.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range.
    init(_ reader: inout BitReader, subLayers: Int) throws(CodecError) {
        let signal = try VideoSignal(&reader)
        sampleAspectRatio = signal.sampleAspectRatio
        colour = signal.colour
        try reader.skip(1)  // neutral_chroma_indication_flag
        isFieldSequence = try reader.readFlag()
        try reader.skip(1)  // frame_field_info_present_flag
        if try reader.readFlag() {  // default_display_window_flag
            for _ in 0..<4 { _ = try reader.readUnsignedGolomb() }
        }
        if try reader.readFlag() {
            frameRate = try reader.readPictureRate()
            if try reader.readFlag() { try Self.skipDecoderParameters(&reader, subLayers: subLayers) }
        }
        if try reader.readFlag() {
            // tiles_fixed_structure_flag, motion_vectors_over_pic_boundaries_flag, restricted_ref_pic_lists_flag
            try reader.skip(3)
            let segmentation = try reader.readUnsignedGolomb(upTo: 4095, "min_spatial_segmentation_idc")
            minimumSpatialSegmentation = segmentation
            // max_bytes_per_pic_denom to log2_max_mv_length_vertical
            for _ in 0..<4 { _ = try reader.readUnsignedGolomb() }
        }
    }

    /// Steps over hrd_parameters() with its common part (§ E.2.2).
    private static func skipDecoderParameters(_ reader: inout BitReader, subLayers: Int) throws(CodecError) {
        let kinds = try [reader.readFlag(), reader.readFlag()].count { $0 }  // of NAL units and of VCL NAL units
        var hasDecodingUnits = false
        if kinds > 0 {
            hasDecodingUnits = try reader.readFlag()
            // tick_divisor_minus2 to dpb_output_delay_du_length_minus1
            if hasDecodingUnits { try reader.skip(8 + 5 + 1 + 5) }
            // bit_rate_scale, cpb_size_scale, cpb_size_du_scale; initial_cpb_removal_delay_length_minus1 to
            // dpb_output_delay_length_minus1
            try reader.skip(8 + (hasDecodingUnits ? 4 : 0) + 15)
        }
        for _ in 0...subLayers {
            let isGenerallyFixed = try reader.readFlag()
            let isFixed = isGenerallyFixed ? true : try reader.readFlag()
            var isLowDelay = false
            if isFixed {
                _ = try reader.readUnsignedGolomb()  // elemental_duration_in_tc_minus1
            } else {
                isLowDelay = try reader.readFlag()
            }
            let buffers = try isLowDelay ? 1 : 1 + reader.readUnsignedGolomb(upTo: 31, "cpb_cnt_minus1")
            // sub_layer_hrd_parameters() (§ E.2.3)
            for _ in 0..<kinds * buffers {
                // bit_rate_value_minus1, cpb_size_value_minus1 and both again of decoding units
                for _ in 0..<(hasDecodingUnits ? 4 : 2) { _ = try reader.readUnsignedGolomb() }
                try reader.skip(1)  // cbr_flag
            }
        }
    }
}
