/// The fields of segmentation_params() (AV1 § 5.9.14) that change quantizers.
struct AV1Segmentation: Hashable, Sendable {
    /// The value that SEG_LVL_ALT_Q adds to the quantizer index, for each segment.
    private(set) var quantizerDeltas = [Int](repeating: 0, count: 8)

    /// Bits of each feature's value and its sign; SEG_LVL_ALT_Q is the first.
    private static let featureBits = [9, 7, 7, 7, 7, 3, 0, 0]

    init() {}

    /// - Parameters:
    ///   - reader: At segmentation_enabled.
    ///   - previous: The segmentation of the primary reference frame; nil if there is none.
    /// - Throws: ``CodecError/truncated``.
    init(_ reader: inout BitReader, previous: AV1Segmentation?) throws(CodecError) {
        guard try reader.readFlag() else { return }
        if let previous {
            if try reader.readFlag() { try reader.skip(1) }  // update_map, temporal_update
            guard try reader.readFlag() else {  // update_data
                self = previous
                return
            }
        }
        for segment in quantizerDeltas.indices {
            for (feature, bits) in Self.featureBits.enumerated() where try reader.readFlag() {
                if feature == 0 {
                    quantizerDeltas[segment] = try reader.readSigned(bits)
                } else {
                    try reader.skip(bits)
                }
            }
        }
    }
}
