import MediaCore

/// Dolby Vision configuration (dvcC, or dvvC), in `VisualSampleEntry` (Dolby Vision Streams Within the ISO Base Media
/// File Format).
struct DolbyVisionConfigurationBox: Box {
    static let type: FourCC = "dvcC"

    var configuration: DolbyVisionConfiguration

    // Profiles above 7 have a box of another name, so that players made before them do not take it for theirs.
    var type: FourCC { configuration.profile > 7 ? "dvvC" : Self.type }
    var contentByteCount: Int { 24 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(configuration.versionMajor)
        span.writeInteger(configuration.versionMinor)
        span.writeInteger(
            UInt16(configuration.profile & 0x7F) << 9
                | UInt16(configuration.level & 0x3F) << 3
                | (configuration.hasReferenceProcessingUnit ? 4 : 0)
                | (configuration.hasEnhancementLayer ? 2 : 0)
                | (configuration.hasBaseLayer ? 1 : 0)
        )
        span.writeInteger(UInt32(configuration.compatibilityID) << 28)
        span.writeZeros(16)
    }
}
