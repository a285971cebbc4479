/// H.264: the parameter sets and what they say of the picture.
package struct AVCConfiguration: Hashable, Sendable {
    /// Sequence parameter set NAL units, header byte included, emulation prevention in place.
    package var sequenceParameterSets: [[UInt8]]
    /// Picture parameter set NAL units, header byte included, emulation prevention in place.
    package var pictureParameterSets: [[UInt8]]
    /// profile_idc, the constraint flags' byte and level_idc: bytes 1 to 3 of the first sequence parameter set.
    package var profile: UInt8
    package var compatibility: UInt8
    package var level: UInt8
    /// chroma_format_idc (0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4).
    package var chromaFormat: UInt8
    /// Bits a sample.
    package var lumaBitDepth: UInt8
    package var chromaBitDepth: UInt8
    /// Size in pixels after cropping.
    package var width: Int
    package var height: Int
    /// Width to height of one pixel; 1:1 where the stream says nothing.
    package var sampleAspectRatio: Ratio
    /// Frames a second from the timing information of the VUI, where it is there.
    package var frameRate: Ratio?
    /// Code points of ISO/IEC 23091-2 from the VUI, where they are there.
    package var colour: ColourDescription?

    package init(
        sequenceParameterSets: [[UInt8]],
        pictureParameterSets: [[UInt8]],
        profile: UInt8,
        compatibility: UInt8,
        level: UInt8,
        chromaFormat: UInt8 = 1,
        lumaBitDepth: UInt8 = 8,
        chromaBitDepth: UInt8 = 8,
        width: Int,
        height: Int,
        sampleAspectRatio: Ratio = Ratio(1, 1),
        frameRate: Ratio? = nil,
        colour: ColourDescription? = nil
    ) {
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
        self.profile = profile
        self.compatibility = compatibility
        self.level = level
        self.chromaFormat = chromaFormat
        self.lumaBitDepth = lumaBitDepth
        self.chromaBitDepth = chromaBitDepth
        self.width = width
        self.height = height
        self.sampleAspectRatio = sampleAspectRatio
        self.frameRate = frameRate
        self.colour = colour
    }
}

/// A ratio of two positive integers.
package struct Ratio: Hashable, Sendable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// Colour primaries, transfer characteristics and matrix as code points of ISO/IEC 23091-2 (2 is unspecified).
package struct ColourDescription: Hashable, Sendable {
    package var primaries: UInt8
    package var transfer: UInt8
    package var matrix: UInt8
    package var isFullRange: Bool

    package init(primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
