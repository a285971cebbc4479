/// The part of a picture parameter set that a slice header needs (ISO/IEC 14496-10 § 7.3.2.2).
struct PictureParameterSet: PictureParameters, Hashable {
    /// The NAL unit, header byte included, emulation prevention in place.
    var nalUnit: [UInt8]
    /// pic_parameter_set_id.
    var id: Int
    /// The seq_parameter_set_id that it refers to.
    var sequenceParameterSetID: Int
    /// entropy_coding_mode_flag: CABAC if true, CAVLC if not.
    var isCABAC: Bool
    /// bottom_field_pic_order_in_frame_present_flag.
    var hasBottomFieldOrder: Bool
    /// SliceGroupChangeRate where slice groups change (slice_group_map_type 3 to 5).
    var sliceGroupChangeRate: Int?
    /// num_ref_idx_l0_default_active_minus1 + 1.
    var defaultReferencesInList0: Int
    /// num_ref_idx_l1_default_active_minus1 + 1.
    var defaultReferencesInList1: Int
    /// weighted_pred_flag.
    var hasWeightedPrediction: Bool
    /// weighted_bipred_idc: 1 is explicit.
    var weightedBiprediction: Int
    /// deblocking_filter_control_present_flag.
    var hasDeblockingControl: Bool
    /// redundant_pic_cnt_present_flag.
    var hasRedundantPictureCount: Bool

    /// - Parameter nalUnit: The NAL unit, header byte included.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range.
    init(_ nalUnit: RawSpan) throws(CodecError) {
        self.nalUnit = nalUnit.withUnsafeBytes { Array($0) }
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8)
        id = try reader.readUnsignedGolomb(upTo: 255, "pic_parameter_set_id")
        sequenceParameterSetID = try reader.readUnsignedGolomb(upTo: 31, "seq_parameter_set_id")
        isCABAC = try reader.readFlag()
        hasBottomFieldOrder = try reader.readFlag()
        sliceGroupChangeRate = try Self.readSliceGroups(&reader)
        defaultReferencesInList0 = try 1 + reader.readUnsignedGolomb(upTo: 31, "num_ref_idx_l0_default_active_minus1")
        defaultReferencesInList1 = try 1 + reader.readUnsignedGolomb(upTo: 31, "num_ref_idx_l1_default_active_minus1")
        hasWeightedPrediction = try reader.readFlag()
        weightedBiprediction = Int(try reader.read(2))
        _ = try reader.readSignedGolomb()  // pic_init_qp_minus26
        _ = try reader.readSignedGolomb()  // pic_init_qs_minus26
        _ = try reader.readSignedGolomb()  // chroma_qp_index_offset
        hasDeblockingControl = try reader.readFlag()
        try reader.skip(1)  // constrained_intra_pred_flag
        hasRedundantPictureCount = try reader.readFlag()
    }

    /// Skips the slice groups and returns SliceGroupChangeRate if there is one.
    private static func readSliceGroups(_ reader: inout BitReader) throws(CodecError) -> Int? {
        let groups = try 1 + reader.readUnsignedGolomb(upTo: 7, "num_slice_groups_minus1")
        guard groups > 1 else { return nil }
        switch try reader.readUnsignedGolomb() {
        case 0:
            for _ in 0..<groups { _ = try reader.readUnsignedGolomb() }  // run_length_minus1
        case 1:
            break
        case 2:
            for _ in 1..<groups {
                _ = try reader.readUnsignedGolomb()  // top_left
                _ = try reader.readUnsignedGolomb()  // bottom_right
            }
        case 3...5:
            try reader.skip(1)  // slice_group_change_direction_flag
            return try 1 + reader.readUnsignedGolomb(upTo: 1 << 24, "slice_group_change_rate_minus1")
        case 6:
            let mapUnits = try 1 + reader.readUnsignedGolomb(upTo: 1 << 24, "pic_size_in_map_units_minus1")
            try reader.skip(mapUnits * (groups - 1).bitsToCount)
        default:
            throw .invalid("slice_group_map_type")
        }
        return nil
    }
}

extension Int {
    /// Ceil(Log2(self + 1)): the bits that hold every number from 0 to this one.
    var bitsToCount: Int { Int.bitWidth - leadingZeroBitCount }
}
