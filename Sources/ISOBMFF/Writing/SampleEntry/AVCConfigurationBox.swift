import MediaCore

/// AVC configuration (avcC), in `VisualSampleEntry` (ISO/IEC 14496-15 § 5.3.3).
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

    /// True if chroma format and bit depths follow: in every profile but Baseline, Main and Extended.
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
        span.writeInteger(0xFC | avc.picture.chromaFormat)
        span.writeInteger(0xF8 | (avc.picture.lumaBitDepth &- 8))
        span.writeInteger(0xF8 | (avc.picture.chromaBitDepth &- 8))
        span.writeInteger(UInt8(0))  // numOfSequenceParameterSetExt
    }
}

extension OutputRawSpan {
    /// NAL units behind lengths of two bytes.
    mutating func writeParameterSets(_ sets: ArraySlice<[UInt8]>) {
        for set in sets {
            writeInteger(UInt16(set.count))
            write(set)
        }
    }
}
