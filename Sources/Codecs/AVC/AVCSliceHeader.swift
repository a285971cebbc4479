/// A slice header, read for its length: the bytes after it are encrypted (ISO/IEC 23001-7 § 9.5).
///
/// Its length is written nowhere, so the whole of slice_header() (ISO/IEC 14496-10 § 7.3.3) is walked through.
struct AVCSliceHeader: Hashable, Sendable {
    var sliceType: SliceType
    var pictureParameterSetID: Int
    /// The picture that it is of.
    var picture: Picture
    /// Bits of the header, without the NAL unit's header byte and without emulation prevention bytes.
    var bitCount: Int
    /// Bytes of the NAL unit from its header byte to the one in which the slice header ends, emulation prevention bytes
    /// included.
    var byteCount: Int

    /// slice_type modulo 5 (ISO/IEC 14496-10 Table 7-6).
    enum SliceType: UInt8, Sendable {
        case p, b, i, switchingP, switchingI

        fileprivate var isIntra: Bool { self == .i || self == .switchingI }
        fileprivate var isSwitching: Bool { self == .switchingP || self == .switchingI }
    }

    /// The values that set a picture's slices apart from those of the pictures before and behind it (ISO/IEC 14496-10 §
    /// 7.4.1.2.4).
    struct Picture: Hashable, Sendable {
        var pictureParameterSetID: Int
        var isReference: Bool
        var frameNumber: UInt32 = 0
        var isField = false
        var isBottomField = false
        /// idr_pic_id; nil if it is not an IDR picture.
        var idrID: UInt32?
        var orderLSB: UInt32 = 0
        var orderDelta: Int32 = 0
        var bottomOrderDelta: Int32 = 0

        /// Returns true if this picture may be the second field of the frame that `first` is the first field of.
        func isSecondField(behind first: Picture) -> Bool {
            // § 3.30: of opposite parity, with the same frame_num, and no IDR picture.
            isField && first.isField && isBottomField != first.isBottomField && frameNumber == first.frameNumber
                && idrID == nil
        }
    }

    /// Reads only up to the picture parameter set's id.
    ///
    /// - Parameter nalUnit: A slice of type 1 or 5, header byte included.
    /// - Returns: The pic_parameter_set_id.
    /// - Throws: ``CodecError`` if the header is cut short or has a forbidden value.
    static func pictureParameterSetID(of nalUnit: RawSpan) throws(CodecError) -> Int {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8)
        return try readStart(&reader).pictureParameterSetID
    }

    /// Reads the header of a slice.
    ///
    /// - Parameters:
    ///   - nalUnit: A slice of type 1 or 5, header byte included.
    ///   - parameterSets: Those that stand when the slice comes.
    /// - Throws: ``CodecError`` if the header is cut short, has a forbidden value or names parameter sets that are
    ///   not there.
    init(_ nalUnit: RawSpan, parameterSets: AVCParameterSets) throws(CodecError) {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        let header = UInt8(try reader.read(8))
        (sliceType, pictureParameterSetID) = try Self.readStart(&reader)
        let (sequence, picture) = try parameterSets.named(byPictureParameterSet: pictureParameterSetID)
        var syntax = Syntax(
            isIDR: NALUnitType(header: header) == .idrSlice,
            sliceType: sliceType,
            sequence: sequence,
            parameters: picture,
            picture: Picture(pictureParameterSetID: pictureParameterSetID, isReference: header & 0x60 != 0)
        )
        try syntax.readRest(&reader)
        self.picture = syntax.picture
        bitCount = reader.bitPosition - 8
        byteCount = reader.byteOffset
    }

    private static func readStart(
        _ reader: inout BitReader
    ) throws(CodecError) -> (sliceType: SliceType, pictureParameterSetID: Int) {
        _ = try reader.readUnsignedGolomb()  // first_mb_in_slice
        let code = try reader.readUnsignedGolomb(upTo: 9, "slice_type")
        guard let sliceType = SliceType(rawValue: UInt8(code % 5)) else { throw .invalid("slice_type") }
        return (sliceType, try reader.readUnsignedGolomb(upTo: 255, "pic_parameter_set_id"))
    }

    /// The header behind pic_parameter_set_id, with all that its syntax depends on.
    private struct Syntax {
        let isIDR: Bool
        let sliceType: SliceType
        let sequence: SequenceParameterSet
        let parameters: PictureParameterSet
        var picture: Picture
        var referencesInList0 = 0
        var referencesInList1 = 0

        mutating func readRest(_ reader: inout BitReader) throws(CodecError) {
            if sequence.hasSeparateColourPlanes { try reader.skip(2) }  // colour_plane_id
            picture.frameNumber = try reader.read(sequence.frameNumberBits)
            if !sequence.isFramesOnly {
                picture.isField = try reader.readFlag()
                if picture.isField { picture.isBottomField = try reader.readFlag() }
            }
            if isIDR { picture.idrID = try reader.readUnsignedGolomb() }
            try readPictureOrder(&reader)
            if parameters.hasRedundantPictureCount { _ = try reader.readUnsignedGolomb() }
            if sliceType == .b { try reader.skip(1) }  // direct_spatial_mv_pred_flag
            if !sliceType.isIntra {
                try readReferenceCounts(&reader)
                try readReferenceListModification(&reader)
                if sliceType == .b { try readReferenceListModification(&reader) }
            }
            if sliceType == .b
                ? parameters.weightedBiprediction == 1 : parameters.hasWeightedPrediction && !sliceType.isIntra
            {
                try readPredictionWeights(&reader)
            }
            if picture.isReference { try readReferenceMarking(&reader) }
            if parameters.isCABAC, !sliceType.isIntra { _ = try reader.readUnsignedGolomb() }  // cabac_init_idc
            _ = try reader.readSignedGolomb()  // slice_qp_delta
            if sliceType == .switchingP { try reader.skip(1) }  // sp_for_switch_flag
            if sliceType.isSwitching { _ = try reader.readSignedGolomb() }  // slice_qs_delta
            // disable_deblocking_filter_idc: 1 says that no offsets follow.
            if parameters.hasDeblockingControl, try reader.readUnsignedGolomb() != 1 {
                _ = try reader.readSignedGolomb()  // slice_alpha_c0_offset_div2
                _ = try reader.readSignedGolomb()  // slice_beta_offset_div2
            }
            if let rate = parameters.sliceGroupChangeRate {
                // § 7.4.3: slice_group_change_cycle has Ceil(Log2(PicSizeInMapUnits ÷ SliceGroupChangeRate + 1)) bits.
                let mapUnits = sequence.widthInMacroblocks * sequence.heightInMapUnits
                try reader.skip(((mapUnits + rate - 1) / rate).bitsToCount)
            }
        }

        private mutating func readPictureOrder(_ reader: inout BitReader) throws(CodecError) {
            let hasBottomDelta = parameters.hasBottomFieldOrder && !picture.isField
            switch sequence.pictureOrderCount {
            case .coded(let bits):
                picture.orderLSB = try reader.read(bits)
                if hasBottomDelta { picture.bottomOrderDelta = try reader.readSignedGolomb() }
            case .deltas(areAlwaysZero: false):
                picture.orderDelta = try reader.readSignedGolomb()
                if hasBottomDelta { picture.bottomOrderDelta = try reader.readSignedGolomb() }
            case .deltas(areAlwaysZero: true), .decodingOrder:
                break
            }
        }

        private mutating func readReferenceCounts(_ reader: inout BitReader) throws(CodecError) {
            referencesInList0 = parameters.defaultReferencesInList0
            if sliceType == .b { referencesInList1 = parameters.defaultReferencesInList1 }
            guard try reader.readFlag() else { return }  // num_ref_idx_active_override_flag
            referencesInList0 = try 1 + reader.readUnsignedGolomb(upTo: 31, "num_ref_idx_l0_active_minus1")
            if sliceType == .b {
                referencesInList1 = try 1 + reader.readUnsignedGolomb(upTo: 31, "num_ref_idx_l1_active_minus1")
            }
        }

        /// Reads one list of ref_pic_list_modification() (§ 7.3.3.1).
        private func readReferenceListModification(_ reader: inout BitReader) throws(CodecError) {
            guard try reader.readFlag() else { return }
            while try reader.readUnsignedGolomb(upTo: 3, "modification_of_pic_nums_idc") != 3 {
                _ = try reader.readUnsignedGolomb()  // abs_diff_pic_num_minus1 or long_term_pic_num
            }
        }

        /// pred_weight_table() (§ 7.3.3.2).
        private func readPredictionWeights(_ reader: inout BitReader) throws(CodecError) {
            let hasChroma = sequence.chromaArrayType != 0
            _ = try reader.readUnsignedGolomb()  // luma_log2_weight_denom
            if hasChroma { _ = try reader.readUnsignedGolomb() }  // chroma_log2_weight_denom
            for _ in 0..<referencesInList0 + referencesInList1 {
                if try reader.readFlag() {
                    for _ in 0..<2 { _ = try reader.readSignedGolomb() }  // luma weight and offset
                }
                if hasChroma, try reader.readFlag() {
                    for _ in 0..<4 { _ = try reader.readSignedGolomb() }  // weight and offset of Cb and of Cr
                }
            }
        }

        /// dec_ref_pic_marking() (§ 7.3.3.3).
        private func readReferenceMarking(_ reader: inout BitReader) throws(CodecError) {
            if isIDR { return try reader.skip(2) }  // no_output_of_prior_pics_flag, long_term_reference_flag
            guard try reader.readFlag() else { return }  // adaptive_ref_pic_marking_mode_flag
            while true {
                switch try reader.readUnsignedGolomb(upTo: 6, "memory_management_control_operation") {
                case 0: return
                case 5: break
                case 3:
                    _ = try reader.readUnsignedGolomb()  // difference_of_pic_nums_minus1
                    _ = try reader.readUnsignedGolomb()  // long_term_frame_idx
                default: _ = try reader.readUnsignedGolomb()
                }
            }
        }
    }
}
