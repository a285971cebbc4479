import MediaCore

/// The beginning of vui_parameters(), alike in H.264 (ISO/IEC 14496-10 § E.1.1) and HEVC (ISO/IEC 23008-2 § E.2.1).
struct VideoSignal {
    private(set) var sampleAspectRatio = Ratio(1, 1)
    private(set) var colour: ColourDescription?

    /// Reads from aspect_ratio_info_present_flag to the chroma sample locations.
    init(_ reader: inout BitReader) throws(CodecError) {
        if try reader.readFlag() { try readAspectRatio(&reader) }
        if try reader.readFlag() { try reader.skip(1) }  // overscan_appropriate_flag
        if try reader.readFlag() { try readSignalType(&reader) }
        if try reader.readFlag() {
            _ = try reader.readUnsignedGolomb()  // chroma_sample_loc_type_top_field
            _ = try reader.readUnsignedGolomb()  // chroma_sample_loc_type_bottom_field
        }
    }

    private mutating func readAspectRatio(_ reader: inout BitReader) throws(CodecError) {
        let index = Int(try reader.read(8))
        if index == 255 {
            let (width, height) = (Int(try reader.read(16)), Int(try reader.read(16)))
            // § E.2.1: a zero makes it unspecified.
            if width > 0, height > 0 { sampleAspectRatio = Ratio(width, height) }
        } else if Self.aspectRatios.indices.contains(index) {
            sampleAspectRatio = Self.aspectRatios[index]
        }
    }

    private mutating func readSignalType(_ reader: inout BitReader) throws(CodecError) {
        try reader.skip(3)  // video_format
        let isFullRange = try reader.readFlag()
        var description = ColourDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: isFullRange)
        let hasDescription = try reader.readFlag()
        if hasDescription {
            description.primaries = UInt8(try reader.read(8))
            description.transfer = UInt8(try reader.read(8))
            description.matrix = UInt8(try reader.read(8))
        }
        if hasDescription || isFullRange { colour = description }
    }

    /// Table E-1; index 0 is unspecified.
    private static let aspectRatios = [
        Ratio(1, 1), Ratio(1, 1), Ratio(12, 11), Ratio(10, 11), Ratio(16, 11), Ratio(40, 33), Ratio(24, 11),
        Ratio(20, 11), Ratio(32, 11), Ratio(80, 33), Ratio(18, 11), Ratio(15, 11), Ratio(64, 33), Ratio(160, 99),
        Ratio(4, 3), Ratio(3, 2), Ratio(2, 1),
    ]
}
