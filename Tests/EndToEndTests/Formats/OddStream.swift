import TestSupport
import Testing

/// A feed that is hard to package.
struct OddStream: Sendable, CustomTestStringConvertible {
    var feed: FeedRecipe
    /// True if the audio changes format, so that a decoder would convert it to the first one.
    var audioChanges = false

    /// True if FFmpeg decrypts it in a transport stream.
    ///
    /// It does not where a slice has lost emulation prevention bytes and a later one of the same picture has none: this
    /// one it leaves where it is.
    var isDecryptedByFFmpeg = true

    /// The most by which times may differ, in 90 kHz ticks.
    var tolerance: Int64 = 2

    init(
        _ feed: FeedRecipe,
        audioChanges: Bool = false,
        isDecryptedByFFmpeg: Bool = true,
        tolerance: Int64 = 2
    ) {
        self.feed = feed
        self.audioChanges = audioChanges
        self.isDecryptedByFFmpeg = isDecryptedByFFmpeg
        self.tolerance = tolerance
    }

    var testDescription: String { feed.name }

    static let avc: [OddStream] = [
        .init(.avc), .init(.interlaced), .init(.fieldPairs), .init(.fields), .init(.variableFrameRate),
        .init(.variableFrameRateMP4), .init(.ntsc),
        .init(.openGOP), .init(.recoveryPoints), .init(.intraRefresh), .init(.pyramid), .init(.slices),
        .init(.smallSlices, isDecryptedByFFmpeg: false), .init(.otherResolution), .init(.otherProfile),
        .init(.parameterSetIDs), .init(.otherIDs),

        // Matroska counts milliseconds.
        .init(.matroska, tolerance: 90), .init(.unusedParameterSets), .init(.repeatedParameterSets), .init(.inBand),
        .init(.withoutDelimiters),
        .init(.mixedStartCodes), .init(.zeroPadding), .init(.captions), .init(.slicesWithoutDelimiters),
        .init(.interlacedWithoutDelimiters),
    ]

    static let hevc: [OddStream] = [
        .init(.hevc), .init(.hevcOpenGOP), .init(.hevcSlices), .init(.hevcInterlaced), .init(.hdr10),
    ]

    static let aac: [OddStream] = [
        // FFmpeg counts frames of a PES packet from the first one on, in whole ticks.
        .init(.aac44100, tolerance: 10), .init(.aac32000), .init(.aac51), .init(.languages),
        .init(.otherChannels, audioChanges: true),
        // And by the sample rate that was first, which is 170 ticks a frame in each of the feed's packets.
        .init(.otherSampleRate, audioChanges: true, tolerance: 3500), .init(.onlyAudio),
    ]
}
