import TestSupport
import Testing

/// A feed that is hard to package.
struct OddStream: Sendable, CustomTestStringConvertible {
    var feed: FeedRecipe
    /// Whether the sound changes format, so that a decoder would convert it to the first one.
    var soundChanges = false

    /// By what times may differ, in 90 kHz ticks.
    var tolerance: Int64 = 2

    init(_ feed: FeedRecipe, soundChanges: Bool = false, tolerance: Int64 = 2) {
        self.feed = feed
        self.soundChanges = soundChanges
        self.tolerance = tolerance
    }

    var testDescription: String { feed.name }

    static let avc: [OddStream] = [
        .init(.avc), .init(.interlaced), .init(.fieldPairs), .init(.fields), .init(.variableFrameRate),
        .init(.variableFrameRateMP4), .init(.ntsc),
        .init(.openGOP), .init(.recoveryPoints), .init(.intraRefresh), .init(.pyramid), .init(.slices),
        .init(.smallSlices), .init(.otherResolution), .init(.otherProfile), .init(.parameterSetIDs), .init(.otherIDs),

        // Matroska counts milliseconds.
        .init(.matroska, tolerance: 90), .init(.unusedParameterSets), .init(.repeatedParameterSets), .init(.inBand),
        .init(.withoutDelimiters),
        .init(.mixedStartCodes), .init(.zeroPadding), .init(.captions), .init(.slicesWithoutDelimiters),
        .init(.interlacedWithoutDelimiters),
    ]

    static let aac: [OddStream] = [
        .init(.aac44100), .init(.aac32000), .init(.aac51), .init(.languages), .init(.otherChannels, soundChanges: true),
        .init(.otherSampleRate, soundChanges: true), .init(.onlyAudio),
    ]
}
