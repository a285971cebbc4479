/// The motion of references as a whole: stepped over.
enum AV1GlobalMotion {
    /// global_motion_params() (AV1 § 5.9.24) of a frame that has references.
    ///
    /// The values depend on the parameters before them, but their lengths do not.
    ///
    /// - Parameters:
    ///   - reader: At is_global of the first reference.
    ///   - hasHighPrecision: allow_high_precision_mv.
    /// - Throws: ``CodecError/truncated``.
    static func skip(_ reader: inout BitReader, hasHighPrecision: Bool) throws(CodecError) {
        for _ in 0..<AV1ReferenceFrames.perFrame where try reader.readFlag() {  // is_global
            var isTranslation = false
            // is_rot_zoom: two parameters stand for four.
            if try reader.readFlag() {
                for _ in 0..<2 { try skipParameter(&reader, bits: 12) }
            } else {
                isTranslation = try reader.readFlag()
                if !isTranslation { for _ in 0..<4 { try skipParameter(&reader, bits: 12) } }
            }
            // § 5.9.25: GM_ABS_TRANS_ONLY_BITS, GM_ABS_TRANS_BITS.
            let bits = isTranslation ? hasHighPrecision ? 9 : 8 : 12
            for _ in 0..<2 { try skipParameter(&reader, bits: bits) }
        }
    }

    /// decode_subexp() (§ 5.9.28) of a number from -2^bits to 2^bits.
    private static func skipParameter(_ reader: inout BitReader, bits: Int) throws(CodecError) {
        let count = (2 << bits) + 1
        var start = 0
        var length = 3
        var isFirst = true
        while count > start + (3 << length) {
            guard try reader.readFlag() else { return try reader.skip(length) }  // subexp_more_bits, subexp_bits
            start += 1 << length
            if !isFirst { length += 1 }
            isFirst = false
        }
        _ = try reader.readNonSymmetric(below: count - start)  // subexp_final_bits
    }
}
