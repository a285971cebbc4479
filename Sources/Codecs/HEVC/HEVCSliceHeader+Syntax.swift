extension HEVCSliceHeader {
    /// The part that only independent slice segments have, from slice_reserved_flag to
    /// slice_loop_filter_across_slices_enabled_flag, with all that its syntax depends on.
    struct Syntax {
        let isIDR: Bool
        let sequence: HEVCSequenceParameterSet
        let parameters: HEVCPictureParameterSet
        private var sliceType = SliceType.i
        /// NumPicTotalCurr.
        private var usableReferences: Int
        private var referencesInList0 = 0
        private var referencesInList1 = 0
        private var hasTemporalMotionVectors = false

        init(isIDR: Bool, sequence: HEVCSequenceParameterSet, parameters: HEVCPictureParameterSet) {
            self.isIDR = isIDR
            self.sequence = sequence
            self.parameters = parameters
            usableReferences = parameters.mayReferToItself ? 1 : 0
        }

        mutating func read(_ reader: inout BitReader) throws(CodecError) -> SliceType {
            try reader.skip(parameters.extraSliceHeaderBits)
            let code = try reader.readUnsignedGolomb(upTo: 2, "slice_type")
            sliceType = SliceType(rawValue: UInt8(code)) ?? .i
            if parameters.hasOutputFlag { try reader.skip(1) }
            if sequence.hasSeparateColourPlanes { try reader.skip(2) }  // colour_plane_id
            if !isIDR { try readReferencePictures(&reader) }
            var hasSampleAdaptiveOffset = false
            if sequence.hasSampleAdaptiveOffset {
                hasSampleAdaptiveOffset = try reader.readFlag()
                if sequence.chromaArrayType != 0, try reader.readFlag() { hasSampleAdaptiveOffset = true }
            }
            if sliceType != .i { try readPrediction(&reader) }
            _ = try reader.readSignedGolomb()  // slice_qp_delta
            for _ in 0..<(parameters.hasChromaOffsets ? 2 : 0) + (parameters.hasColourTransformOffsets ? 3 : 0) {
                _ = try reader.readSignedGolomb()
            }
            if parameters.hasChromaOffsetList { try reader.skip(1) }  // cu_chroma_qp_offset_enabled_flag
            let isDeblockingDisabled = try readDeblocking(&reader)
            if parameters.filtersAcrossSlices, hasSampleAdaptiveOffset || !isDeblockingDisabled { try reader.skip(1) }
            return sliceType
        }

        /// Reads slice_pic_order_cnt_lsb to slice_temporal_mvp_enabled_flag.
        private mutating func readReferencePictures(_ reader: inout BitReader) throws(CodecError) {
            try reader.skip(sequence.orderBits)
            let sets = sequence.shortTermReferences
            if try !reader.readFlag() {  // short_term_ref_pic_set_sps_flag
                usableReferences +=
                    try ShortTermReferences(&reader, earlier: sets, isInSlice: true).countUsedByCurrent
            } else {
                let index = sets.count > 1 ? Int(try reader.read((sets.count - 1).bitsToCount)) : 0
                guard sets.indices.contains(index) else { throw .invalid("short_term_ref_pic_set_idx") }
                usableReferences += sets[index].countUsedByCurrent
            }
            if let known = sequence.longTermReferences { try readLongTermReferences(&reader, known.areUsedByCurrent) }
            if sequence.hasTemporalMotionVectors { hasTemporalMotionVectors = try reader.readFlag() }
        }

        private mutating func readLongTermReferences(
            _ reader: inout BitReader,
            _ known: [Bool]
        ) throws(CodecError) {
            let named = try known.isEmpty ? 0 : reader.readUnsignedGolomb(upTo: 32, "num_long_term_sps")
            let others = try reader.readUnsignedGolomb(upTo: 32, "num_long_term_pics")
            for number in 0..<named + others {
                if number < named {
                    let index = known.count > 1 ? Int(try reader.read((known.count - 1).bitsToCount)) : 0
                    guard known.indices.contains(index) else { throw .invalid("lt_idx_sps") }
                    if known[index] { usableReferences += 1 }
                } else {
                    try reader.skip(sequence.orderBits)  // poc_lsb_lt
                    if try reader.readFlag() { usableReferences += 1 }  // used_by_curr_pic_lt_flag
                }
                // delta_poc_msb_present_flag, delta_poc_msb_cycle_lt
                if try reader.readFlag() { _ = try reader.readUnsignedGolomb() }
            }
        }

        /// Reads what slices P and B have, from num_ref_idx_active_override_flag to use_integer_mv_flag.
        private mutating func readPrediction(_ reader: inout BitReader) throws(CodecError) {
            try readReferenceCounts(&reader)
            if parameters.hasListModification, usableReferences > 1 {
                try readListModification(&reader, references: referencesInList0)
                if sliceType == .b { try readListModification(&reader, references: referencesInList1) }
            }
            if sliceType == .b { try reader.skip(1) }  // mvd_l1_zero_flag
            if parameters.hasCABACInit { try reader.skip(1) }
            if hasTemporalMotionVectors {
                let isFromList0 = sliceType == .p ? true : try reader.readFlag()  // collocated_from_l0_flag
                // collocated_ref_idx
                if (isFromList0 ? referencesInList0 : referencesInList1) > 1 { _ = try reader.readUnsignedGolomb() }
            }
            if sliceType == .p ? parameters.hasWeightedPrediction : parameters.hasWeightedBiprediction {
                try readPredictionWeights(&reader)
            }
            _ = try reader.readUnsignedGolomb()  // five_minus_max_num_merge_cand
            if sequence.hasMotionVectorResolutionInSlices { try reader.skip(1) }
        }

        private mutating func readReferenceCounts(_ reader: inout BitReader) throws(CodecError) {
            referencesInList0 = parameters.defaultReferencesInList0
            if sliceType == .b { referencesInList1 = parameters.defaultReferencesInList1 }
            guard try reader.readFlag() else { return }  // num_ref_idx_active_override_flag
            referencesInList0 = try 1 + reader.readUnsignedGolomb(upTo: 14, "num_ref_idx_l0_active_minus1")
            if sliceType == .b {
                referencesInList1 = try 1 + reader.readUnsignedGolomb(upTo: 14, "num_ref_idx_l1_active_minus1")
            }
        }

        /// Reads one list of ref_pic_lists_modification() (§ 7.3.6.2).
        private func readListModification(_ reader: inout BitReader, references: Int) throws(CodecError) {
            guard try reader.readFlag() else { return }
            try reader.skip(references * (usableReferences - 1).bitsToCount)  // list_entry
        }

        /// pred_weight_table() (§ 7.3.6.3).
        private func readPredictionWeights(_ reader: inout BitReader) throws(CodecError) {
            // The entries with weights would depend on the place of the picture itself in the lists.
            guard !parameters.mayReferToItself else {
                throw .unsupported("weighted prediction in pictures that refer to themselves")
            }
            let hasChroma = sequence.chromaArrayType != 0
            _ = try reader.readUnsignedGolomb()  // luma_log2_weight_denom
            if hasChroma { _ = try reader.readSignedGolomb() }  // delta_chroma_log2_weight_denom
            try readWeights(&reader, references: referencesInList0, hasChroma: hasChroma)
            try readWeights(&reader, references: referencesInList1, hasChroma: hasChroma)
        }

        private func readWeights(
            _ reader: inout BitReader,
            references: Int,
            hasChroma: Bool
        ) throws(CodecError) {
            let luma = try reader.read(references).nonzeroBitCount  // luma_weight_flags
            let chroma = try hasChroma ? reader.read(references).nonzeroBitCount : 0  // chroma_weight_flags
            // Weight and offset: of luma, of Cb and of Cr.
            for _ in 0..<2 * luma + 4 * chroma { _ = try reader.readSignedGolomb() }
        }

        /// Reads deblocking_filter_override_flag to slice_tc_offset_div2.
        ///
        /// - Returns: slice_deblocking_filter_disabled_flag.
        private func readDeblocking(_ reader: inout BitReader) throws(CodecError) -> Bool {
            guard parameters.hasDeblockingOverride, try reader.readFlag() else {
                return parameters.isDeblockingDisabled
            }
            if try reader.readFlag() { return true }
            _ = try reader.readSignedGolomb()  // slice_beta_offset_div2
            _ = try reader.readSignedGolomb()  // slice_tc_offset_div2
            return false
        }
    }
}
