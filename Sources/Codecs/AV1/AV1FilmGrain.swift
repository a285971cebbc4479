/// Film grain that a decoder adds to the picture: stepped over.
enum AV1FilmGrain {
    /// film_grain_params() (AV1 § 5.9.30) of a frame that has them.
    ///
    /// - Parameters:
    ///   - reader: At apply_grain.
    ///   - colour: That of the sequence header that stands.
    ///   - isInter: True if frame_type is INTER_FRAME.
    /// - Throws: ``CodecError/truncated``.
    static func skip(_ reader: inout BitReader, colour: AV1ColourConfiguration, isInter: Bool) throws(CodecError) {
        guard try reader.readFlag() else { return }
        try reader.skip(16)  // grain_seed
        // update_grain, film_grain_params_ref_idx
        if isInter, try !reader.readFlag() { return try reader.skip(3) }
        let lumaPoints = try skipPoints(&reader)
        let isScaledFromLuma = try reader.readFlag(if: !colour.isMonochrome)  // chroma_scaling_from_luma
        var chromaPoints = [0, 0]
        if !colour.isMonochrome, !isScaledFromLuma, colour.chromaFormat != 1 || lumaPoints > 0 {
            for plane in chromaPoints.indices { chromaPoints[plane] = try skipPoints(&reader) }
        }
        try reader.skip(2)  // grain_scaling_minus_8
        let lag = Int(try reader.read(2))
        let lumaCoefficients = 2 * lag * (lag + 1)
        if lumaPoints > 0 { try reader.skip(8 * lumaCoefficients) }
        for points in chromaPoints where isScaledFromLuma || points > 0 {
            try reader.skip(8 * (lumaCoefficients + (lumaPoints > 0 ? 1 : 0)))
        }
        try reader.skip(4)  // ar_coeff_shift_minus_6, grain_scale_shift
        for points in chromaPoints where points > 0 { try reader.skip(25) }  // multipliers and offset
        try reader.skip(2)  // overlap_flag, clip_to_restricted_range
    }

    /// - Returns: Their count.
    private static func skipPoints(_ reader: inout BitReader) throws(CodecError) -> Int {
        let count = Int(try reader.read(4))
        try reader.skip(16 * count)
        return count
    }
}
