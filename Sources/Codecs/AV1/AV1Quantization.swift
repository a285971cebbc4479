/// The fields of quantization_params() (AV1 § 5.9.12) that show which segments are lossless.
struct AV1Quantization: Hashable, Sendable {
    /// base_q_idx.
    let base: Int
    private let hasDeltas: Bool

    init(_ reader: inout BitReader, colour: AV1ColourConfiguration) throws(CodecError) {
        base = Int(try reader.read(8))
        var hasDeltas = try reader.readDelta() != 0  // luma DC
        if !colour.isMonochrome {
            let areSeparate = try reader.readFlag(if: colour.hasSeparateChromaQuantizers)  // diff_uv_delta
            for _ in 0..<(areSeparate ? 4 : 2) where try reader.readDelta() != 0 { hasDeltas = true }
        }
        if try reader.readFlag() {  // using_qmatrix
            try reader.skip(colour.hasSeparateChromaQuantizers ? 12 : 8)  // qm_y, qm_u, qm_v
        }
        self.hasDeltas = hasDeltas
    }

    /// CodedLossless: whether the quantizer index of every segment is 0, and no delta added to it.
    func isLossless(in segmentation: AV1Segmentation) -> Bool {
        !hasDeltas && segmentation.quantizerDeltas.allSatisfy { base + $0 <= 0 }
    }
}
