import MediaCore

/// color_config() (AV1 § 5.5.2).
struct AV1ColourConfiguration: Hashable, Sendable {
    var bitDepth: UInt8 = 8
    var isMonochrome = false
    var description: ColourDescription?
    /// subsampling_x and subsampling_y.
    var isSubsampledHorizontally = true
    var isSubsampledVertically = true
    /// 0 unknown, 1 vertical, 2 colocated.
    var chromaSamplePosition: UInt8 = 0
    var hasSeparateChromaQuantizers = false

    init() {}

    init(_ reader: inout BitReader, profile: UInt8) throws(CodecError) {
        if try reader.readFlag() {  // high_bitdepth
            bitDepth = try reader.readFlag(if: profile == 2) ? 12 : 10
        }
        if profile != 1 { isMonochrome = try reader.readFlag() }
        var colour = ColourDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
        let hasDescription = try reader.readFlag()
        if hasDescription {
            colour.primaries = UInt8(try reader.read(8))
            colour.transfer = UInt8(try reader.read(8))
            colour.matrix = UInt8(try reader.read(8))
        }
        // sRGB, which is of full range in 4:4:4 without saying so.
        let isSRGB = colour == ColourDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: false)
        colour.isFullRange = isSRGB && !isMonochrome ? true : try reader.readFlag()
        if hasDescription || colour.isFullRange { description = colour }
        guard !isMonochrome else { return }
        if isSRGB {
            (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
        } else {
            try readSubsampling(&reader, profile: profile)
        }
        hasSeparateChromaQuantizers = try reader.readFlag()
    }

    private mutating func readSubsampling(_ reader: inout BitReader, profile: UInt8) throws(CodecError) {
        switch profile {
        case 0:
            break
        case 1:
            (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
        default:
            isSubsampledVertically = false
            if bitDepth == 12 {
                isSubsampledHorizontally = try reader.readFlag()
                if isSubsampledHorizontally { isSubsampledVertically = try reader.readFlag() }
            }
        }
        if isSubsampledHorizontally, isSubsampledVertically { chromaSamplePosition = UInt8(try reader.read(2)) }
    }

    /// chroma_format_idc of ISO/IEC 14496-10.
    var chromaFormat: UInt8 {
        if isMonochrome { return 0 }
        return isSubsampledVertically ? 1 : isSubsampledHorizontally ? 2 : 3
    }
}
