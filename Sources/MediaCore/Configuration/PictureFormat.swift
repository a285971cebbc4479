/// The format of pictures in a video codec's headers.
package struct PictureFormat: Hashable, Sendable {
    /// Size in pixels after cropping.
    package var width: Int
    package var height: Int
    /// Width to height of one pixel; 1:1 if the stream says nothing.
    package var sampleAspectRatio: Ratio
    /// chroma_format_idc (0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4).
    package var chromaFormat: UInt8
    /// Bits a sample.
    package var lumaBitDepth: UInt8
    package var chromaBitDepth: UInt8
    /// The frame rate, if the headers have it.
    package var frameRate: Ratio?
    /// Code points of ISO/IEC 23091-2; nil if there are none.
    package var colour: ColourDescription?
    /// The metadata for a screen of high dynamic range.
    package var dynamicRange: DynamicRangeMetadata
    /// The rotation that the container demands: width and height are those before it.
    package var rotation = PictureRotation.none

    package init(
        width: Int,
        height: Int,
        sampleAspectRatio: Ratio = Ratio(1, 1),
        chromaFormat: UInt8 = 1,
        lumaBitDepth: UInt8 = 8,
        chromaBitDepth: UInt8 = 8,
        frameRate: Ratio? = nil,
        colour: ColourDescription? = nil,
        dynamicRange: DynamicRangeMetadata = DynamicRangeMetadata()
    ) {
        self.width = width
        self.height = height
        self.sampleAspectRatio = sampleAspectRatio
        self.chromaFormat = chromaFormat
        self.lumaBitDepth = lumaBitDepth
        self.chromaBitDepth = chromaBitDepth
        self.frameRate = frameRate
        self.colour = colour
        self.dynamicRange = dynamicRange
    }
}
