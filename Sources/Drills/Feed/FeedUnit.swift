import MediaCore

/// What is decoded at once: a picture, or a frame of audio.
struct FeedUnit: Hashable, Sendable {
    /// On the source timeline.
    var decodeTime: MediaTime
    /// On the source timeline.
    var presentationTime: MediaTime
    /// Whether decoding may start here.
    var isKey: Bool
    /// As the PES packet carries it: Annex B, ADTS.
    var payload: [UInt8]
}
