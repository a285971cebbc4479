/// The parameters of the filters for decoded pictures: all of them are skipped.
enum AV1LoopFilters {
    /// loop_filter_params(), cdef_params() and lr_params() (AV1 § 5.9.11, 5.9.19, 5.9.20).
    ///
    /// - Parameters:
    ///   - reader: At loop_filter_level.
    ///   - sequence: The sequence header that stands.
    ///   - isLossless: CodedLossless.
    ///   - isUpscaled: True if the picture is coded smaller than it is shown.
    ///   - allowsIntraBlockCopy: allow_intrabc.
    /// - Throws: ``CodecError/truncated``.
    static func skip(
        _ reader: inout BitReader,
        sequence: AV1SequenceHeader,
        isLossless: Bool,
        isUpscaled: Bool,
        allowsIntraBlockCopy: Bool
    ) throws(CodecError) {
        guard !allowsIntraBlockCopy else { return }
        if !isLossless {
            try skipDeblocking(&reader, colour: sequence.colour)
            if sequence.hasCDEF { try skipCDEF(&reader, colour: sequence.colour) }
        }
        if sequence.hasRestoration, !isLossless || isUpscaled { try skipRestoration(&reader, sequence: sequence) }
    }

    private static func skipDeblocking(
        _ reader: inout BitReader,
        colour: AV1ColourConfiguration
    ) throws(CodecError) {
        let isFiltered = try reader.read(12) != 0  // loop_filter_level[0], [1]
        if isFiltered, !colour.isMonochrome { try reader.skip(12) }  // loop_filter_level[2], [3]
        try reader.skip(3)  // loop_filter_sharpness
        // loop_filter_delta_enabled, loop_filter_delta_update
        guard try reader.readFlag(), try reader.readFlag() else { return }
        // Eight references and two modes.
        for _ in 0..<10 where try reader.readFlag() { try reader.skip(7) }
    }

    private static func skipCDEF(_ reader: inout BitReader, colour: AV1ColourConfiguration) throws(CodecError) {
        try reader.skip(2)  // cdef_damping_minus_3
        let count = 1 << Int(try reader.read(2))
        try reader.skip(count * (colour.isMonochrome ? 6 : 12))
    }

    private static func skipRestoration(
        _ reader: inout BitReader,
        sequence: AV1SequenceHeader
    ) throws(CodecError) {
        let colour = sequence.colour
        let isLumaRestored = try reader.read(2) != 0  // lr_type
        let isChromaRestored = colour.isMonochrome ? false : try reader.read(4) != 0
        guard isLumaRestored || isChromaRestored else { return }
        // lr_unit_shift, lr_unit_extra_shift
        if try reader.readFlag(), !sequence.has128x128Superblocks { try reader.skip(1) }
        if isChromaRestored, colour.chromaFormat == 1 { try reader.skip(1) }  // lr_uv_shift
    }
}
