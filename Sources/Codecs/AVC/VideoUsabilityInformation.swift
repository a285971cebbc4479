import MediaCore

/// The part of the video usability information that a file format repeats or picture timing needs (ISO/IEC 14496-10 §
/// E.1.1).
struct VideoUsabilityInformation: Hashable, Sendable {
    var sampleAspectRatio = Ratio(1, 1)
    var colour: ColourDescription?
    /// Frames a second; nil if it is not stated, or neither promised nor plausible.
    var frameRate: Ratio?
    /// fixed_frame_rate_flag: all frames last as long, or as their picture timing says.
    var hasFixedFrameRate = false
    /// The syntax of picture timing messages.
    var pictureTiming = PictureTiming.Syntax()

    /// Creates the information of a stream that has none.
    init() {}

    /// Reads vui_parameters() up to pic_struct_present_flag.
    init(_ reader: inout BitReader) throws(CodecError) {
        let signal = try VideoSignal(&reader)
        sampleAspectRatio = signal.sampleAspectRatio
        colour = signal.colour
        if try reader.readFlag() { try readTiming(&reader) }
        // The fields before are right even if this cannot be read.
        pictureTiming = (try? PictureTiming.Syntax(&reader)) ?? pictureTiming
    }

    private mutating func readTiming(_ reader: inout BitReader) throws(CodecError) {
        let (unitsInTick, timescale) = (Int(try reader.read(32)), Int(try reader.read(32)))
        hasFixedFrameRate = try reader.readFlag()
        guard unitsInTick > 0, timescale > 0 else { return }
        // § E.2.1: a tick is the time of a field.
        let rate = Ratio(lowestTerms: timescale, 2 * unitsInTick)
        frameRate = hasFixedFrameRate ? rate : rate.plausibleFrameRate
    }
}
