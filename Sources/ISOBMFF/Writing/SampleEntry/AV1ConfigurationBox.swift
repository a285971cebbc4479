import MediaCore

/// AV1 configuration (av1C), in `VisualSampleEntry` (AV1 Codec ISO Media File Format Binding § 2.3).
struct AV1ConfigurationBox: Box {
    static let type: FourCC = "av1C"

    var av1: AV1Configuration

    var contentByteCount: Int { 4 + av1.sequenceHeader.count }

    func encodeContent(into span: inout OutputRawSpan) {
        let (depth, chroma) = (av1.picture.lumaBitDepth, av1.picture.chromaFormat)
        span.writeInteger(UInt8(0x81))  // marker, version 1
        span.writeInteger(av1.profile << 5 | av1.level & 0x1F)
        span.writeInteger(
            (av1.isHighTier ? 0x80 : 0)
                | (depth > 8 ? 0x40 : 0)
                | (depth > 10 ? 0x20 : 0)
                | (chroma == 0 ? 0x10 : 0)
                // Subsampled in x, as monochrome is said to be, and in y.
                | (chroma < 3 ? 0x08 : 0)
                | (chroma < 2 ? 0x04 : 0)
                | av1.chromaSamplePosition & 3
        )
        span.writeInteger(UInt8(0))  // no initial_presentation_delay
        span.write(av1.sequenceHeader)
    }
}
