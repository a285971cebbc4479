import MediaCore

extension AV1Configuration {
    /// The part of `CODECS` that follows `av01.` (AV1 Codec ISO Media File Format Binding § 5).
    var rfc6381: String {
        let start = "\(profile).\(level.twoDigits)\(isHighTier ? "H" : "M").\(picture.lumaBitDepth.twoDigits)"
        let colour = picture.colour ?? ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
        let rest = [
            picture.chromaFormat == 0 ? "1" : "0",
            chromaSubsampling,
            colour.primaries.twoDigits,
            colour.transfer.twoDigits,
            colour.matrix.twoDigits,
            colour.isFullRange ? "1" : "0",
        ]
        // § 5: all of them or none, and none if they are what stands for none.
        return rest == ["0", "110", "01", "01", "01", "0"] ? start : ([start] + rest).joined(separator: ".")
    }

    /// subsampling_x, subsampling_y, chroma_sample_position.
    private var chromaSubsampling: String {
        switch picture.chromaFormat {
        case 0, 1: "11\(chromaSamplePosition)"
        case 2: "100"
        default: "000"
        }
    }
}

extension UInt8 {
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
