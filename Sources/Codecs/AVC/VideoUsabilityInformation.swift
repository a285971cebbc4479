package import MediaCore

/// What of the video usability information a file format repeats or picture timing needs (ISO/IEC 14496-10 § E.1.1).
package struct VideoUsabilityInformation: Hashable, Sendable {
    package var sampleAspectRatio = Ratio(1, 1)
    package var colour: ColourDescription?
    /// Frames a second.
    package var frameRate: Ratio?
    /// How picture timing messages are written.
    package var pictureTiming = PictureTiming.Syntax()

    /// Says nothing.
    package init() {}

    /// Reads vui_parameters() up to pic_struct_present_flag.
    package init(_ reader: inout BitReader) throws(CodecError) {
        if try reader.readFlag() { try readAspectRatio(&reader) }
        if try reader.readFlag() { try reader.skip(1) }  // overscan_appropriate_flag
        if try reader.readFlag() { try readSignalType(&reader) }
        if try reader.readFlag() {
            _ = try reader.readUnsignedGolomb()  // chroma_sample_loc_type_top_field
            _ = try reader.readUnsignedGolomb()  // chroma_sample_loc_type_bottom_field
        }
        if try reader.readFlag() { try readTiming(&reader) }
        // What comes before is right even where this cannot be read.
        pictureTiming = (try? PictureTiming.Syntax(&reader)) ?? pictureTiming
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

    private mutating func readTiming(_ reader: inout BitReader) throws(CodecError) {
        let (unitsInTick, timescale) = (Int(try reader.read(32)), Int(try reader.read(32)))
        try reader.skip(1)  // fixed_frame_rate_flag
        guard unitsInTick > 0, timescale > 0 else { return }
        // § E.2.1: a tick is the time of a field.
        frameRate = Ratio(reducing: timescale, 2 * unitsInTick)
    }

    /// Table E-1; index 0 is unspecified.
    private static let aspectRatios = [
        Ratio(1, 1), Ratio(1, 1), Ratio(12, 11), Ratio(10, 11), Ratio(16, 11), Ratio(40, 33), Ratio(24, 11),
        Ratio(20, 11), Ratio(32, 11), Ratio(80, 33), Ratio(18, 11), Ratio(15, 11), Ratio(64, 33), Ratio(160, 99),
        Ratio(4, 3), Ratio(3, 2), Ratio(2, 1),
    ]
}

extension Ratio {
    /// In lowest terms.
    fileprivate init(reducing numerator: Int, _ denominator: Int) {
        var (divisor, rest) = (numerator, denominator)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.init(numerator / divisor, denominator / divisor)
    }
}
