import MediaCore

/// A unit that is decoded at once: a picture, or a frame of audio.
struct FeedUnit: Hashable, Sendable {
    /// The decode time on the source timeline.
    var decodeTime: MediaTime
    /// The presentation time on the source timeline.
    var presentationTime: MediaTime
    /// True if decoding may start here.
    var isKey: Bool
    /// The payload of the PES packet: Annex B, ADTS.
    var payload: [UInt8]
}
