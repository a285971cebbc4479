import MediaCore

/// Colour information (colr), in `VisualSampleEntry` (ISO/IEC 14496-12 § 12.1.5).
struct ColourInformationBox: Box {
    static let type: FourCC = "colr"

    var colour: ColourDescription

    var contentByteCount: Int { 11 }

    func encodeContent(into span: inout OutputRawSpan) {
        let onScreenColours: FourCC = "nclx"
        span.writeInteger(onScreenColours.code)
        span.writeInteger(UInt16(colour.primaries))
        span.writeInteger(UInt16(colour.transfer))
        span.writeInteger(UInt16(colour.matrix))
        span.writeInteger(UInt8(colour.isFullRange ? 0x80 : 0))
    }
}

/// Pixel aspect ratio (pasp), in `VisualSampleEntry` (ISO/IEC 14496-12 § 12.1.4).
struct PixelAspectRatioBox: Box {
    static let type: FourCC = "pasp"

    var ratio: Ratio

    var contentByteCount: Int { 8 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(clamping: ratio.numerator))
        span.writeInteger(UInt32(clamping: ratio.denominator))
    }
}

/// Mastering display colour volume (mdcv), in `VisualSampleEntry` (ISO/IEC 14496-12 § 12.1.7).
struct MasteringDisplayColourVolumeBox: Box {
    static let type: FourCC = "mdcv"

    private let volume: [UInt8]

    /// Takes 24 bytes; nil for any other number.
    init?(_ volume: [UInt8]) {
        guard volume.count == 24 else { return nil }
        self.volume = volume
    }

    var contentByteCount: Int { volume.count }

    func encodeContent(into span: inout OutputRawSpan) {
        span.write(volume)
    }
}

/// Content light level (clli), in `VisualSampleEntry` (ISO/IEC 14496-12 § 12.1.6).
struct ContentLightLevelBox: Box {
    static let type: FourCC = "clli"

    private let levels: [UInt8]

    /// Takes four bytes; nil for any other number.
    init?(_ levels: [UInt8]) {
        guard levels.count == 4 else { return nil }
        self.levels = levels
    }

    var contentByteCount: Int { levels.count }

    func encodeContent(into span: inout OutputRawSpan) {
        span.write(levels)
    }
}
