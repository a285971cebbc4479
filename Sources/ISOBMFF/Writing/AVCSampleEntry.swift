import MediaCore

/// AVC sample entry (avc1, or encv over it), in `SampleDescriptionBox` (ISO/IEC 14496-15 § 5.4.2).
///
/// Parameter sets are in `avcC` only: that is what tells `avc1` from `avc3`.
struct AVCSampleEntry: ProtectableSampleEntry {
    static let clearType: FourCC = "avc1"
    static let protectedType: FourCC = "encv"

    /// Pixels.
    var width: UInt16
    var height: UInt16
    var configuration: AVCConfigurationBox
    var colour: ColourInformationBox?
    var pixelAspectRatio: PixelAspectRatioBox
    var protection: ProtectionSchemeInformationBox?

    init(_ avc: AVCConfiguration, encryption: TrackEncryption?) {
        width = UInt16(clamping: avc.width)
        height = UInt16(clamping: avc.height)
        configuration = AVCConfigurationBox(avc)
        colour = avc.colour.map { ColourInformationBox(colour: $0) }
        pixelAspectRatio = PixelAspectRatioBox(ratio: avc.sampleAspectRatio)
        protection = encryption.map { ProtectionSchemeInformationBox(originalFormat: Self.clearType, encryption: $0) }
    }

    var contentByteCount: Int {
        78 + configuration.byteCount + (colour?.byteCount ?? 0) + pixelAspectRatio.byteCount
    }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        span.writeZeros(16)
        span.writeInteger(width)
        span.writeInteger(height)
        span.writeInteger(UInt32(0x0048_0000))  // horizresolution, 72 dpi
        span.writeInteger(UInt32(0x0048_0000))  // vertresolution
        span.writeZeros(4)
        span.writeInteger(UInt16(1))  // frame_count
        span.writeZeros(32)  // compressorname
        span.writeInteger(UInt16(0x0018))  // depth: colour, no alpha
        span.writeInteger(Int16(-1))  // pre_defined
        configuration.encode(into: &span)
        colour?.encode(into: &span)
        pixelAspectRatio.encode(into: &span)
    }
}

/// AVC configuration (avcC), in `AVCSampleEntry` (ISO/IEC 14496-15 § 5.3.3).
struct AVCConfigurationBox: Box {
    static let type: FourCC = "avcC"

    private let avc: AVCConfiguration
    private let sequenceParameterSets: ArraySlice<[UInt8]>
    private let pictureParameterSets: ArraySlice<[UInt8]>

    init(_ avc: AVCConfiguration) {
        self.avc = avc
        // The counts have 5 and 8 bits, a parameter set's length 16; nothing longer can be referred to.
        sequenceParameterSets = avc.sequenceParameterSets.filter { $0.count <= UInt16.max }.prefix(31)
        pictureParameterSets = avc.pictureParameterSets.filter { $0.count <= UInt16.max }.prefix(255)
    }

    /// Whether chroma format and bit depths follow: in every profile but Baseline, Main and Extended.
    private var hasHighProfileFields: Bool { ![66, 77, 88].contains(avc.profile) }

    var contentByteCount: Int {
        let sets = (sequenceParameterSets + pictureParameterSets).reduce(0) { $0 + 2 + $1.count }
        return 7 + sets + (hasHighProfileFields ? 4 : 0)
    }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(UInt8(1))  // configurationVersion
        span.writeInteger(avc.profile)
        span.writeInteger(avc.compatibility)
        span.writeInteger(avc.level)
        span.writeInteger(UInt8(0xFC | 3))  // lengthSizeMinusOne: lengths have four bytes
        span.writeInteger(0xE0 | UInt8(sequenceParameterSets.count))
        span.writeParameterSets(sequenceParameterSets)
        span.writeInteger(UInt8(pictureParameterSets.count))
        span.writeParameterSets(pictureParameterSets)
        guard hasHighProfileFields else { return }
        span.writeInteger(0xFC | avc.chromaFormat)
        span.writeInteger(0xF8 | (avc.lumaBitDepth &- 8))
        span.writeInteger(0xF8 | (avc.chromaBitDepth &- 8))
        span.writeInteger(UInt8(0))  // numOfSequenceParameterSetExt
    }
}

extension OutputRawSpan {
    fileprivate mutating func writeParameterSets(_ sets: ArraySlice<[UInt8]>) {
        for set in sets {
            writeInteger(UInt16(set.count))
            write(set)
        }
    }
}

/// Colour information (colr), in `AVCSampleEntry` (ISO/IEC 14496-12 § 12.1.5).
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

/// Pixel aspect ratio (pasp), in `AVCSampleEntry` (ISO/IEC 14496-12 § 12.1.4).
struct PixelAspectRatioBox: Box {
    static let type: FourCC = "pasp"

    var ratio: Ratio

    var contentByteCount: Int { 8 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(clamping: ratio.numerator))
        span.writeInteger(UInt32(clamping: ratio.denominator))
    }
}
