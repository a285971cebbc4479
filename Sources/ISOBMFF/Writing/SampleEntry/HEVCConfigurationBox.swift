import MediaCore

/// HEVC configuration (hvcC), in `VisualSampleEntry` (ISO/IEC 14496-15 § 8.3.2).
struct HEVCConfigurationBox: Box {
    static let type: FourCC = "hvcC"

    private let hevc: HEVCConfiguration
    private let arrays: [ParameterSets]

    /// The parameter sets of one NAL unit type.
    private struct ParameterSets {
        // H.265 § 7.4.2.2
        var nalUnitType: UInt8
        var sets: ArraySlice<[UInt8]>

        init(_ nalUnitType: UInt8, _ sets: [[UInt8]]) {
            self.nalUnitType = nalUnitType
            // The count has 16 bits, and so has the length of each.
            self.sets = sets.filter { $0.count <= UInt16.max }.prefix(Int(UInt16.max))
        }
    }

    init(_ hevc: HEVCConfiguration) {
        self.hevc = hevc
        arrays = [
            ParameterSets(32, hevc.videoParameterSets),
            ParameterSets(33, hevc.sequenceParameterSets),
            ParameterSets(34, hevc.pictureParameterSets),
        ].filter { !$0.sets.isEmpty }
    }

    var contentByteCount: Int {
        arrays.reduce(23) { $1.sets.reduce($0 + 3) { $0 + 2 + $1.count } }
    }

    func encodeContent(into span: inout OutputRawSpan) {
        let (general, picture) = (hevc.profileTierLevel, hevc.picture)
        span.writeInteger(UInt8(1))  // configurationVersion
        span.writeInteger(general.profileSpace << 6 | (general.isHighTier ? 0x20 : 0) | general.profile & 0x1F)
        span.writeInteger(general.compatibilityFlags)
        span.writeInteger(UInt16(truncatingIfNeeded: general.constraintFlags >> 32))
        span.writeInteger(UInt32(truncatingIfNeeded: general.constraintFlags))
        span.writeInteger(general.level)
        span.writeInteger(0xF000 | hevc.minimumSpatialSegmentation)
        span.writeInteger(UInt8(0xFC))  // parallelismType: not known
        span.writeInteger(0xFC | picture.chromaFormat)
        span.writeInteger(0xF8 | (picture.lumaBitDepth &- 8))
        span.writeInteger(0xF8 | (picture.chromaBitDepth &- 8))
        span.writeInteger(UInt16(0))  // avgFrameRate, and with it constantFrameRate: not known
        // lengthSizeMinusOne: lengths have four bytes
        span.writeInteger((hevc.temporalLayers & 7) << 3 | (hevc.isTemporalIDNested ? 4 : 0) | 3)
        span.writeInteger(UInt8(arrays.count))
        for array in arrays {
            // array_completeness, which is what tells `hvc1` from `hev1`: there are none in the samples.
            span.writeInteger(0x80 | array.nalUnitType)
            span.writeInteger(UInt16(array.sets.count))
            span.writeParameterSets(array.sets)
        }
    }
}
