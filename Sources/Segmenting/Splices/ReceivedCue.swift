import MediaCore

/// A cue with where it came from, and when.
struct ReceivedCue: Sendable {
    /// One of its section's.
    var cue: SpliceCue
    /// The section.
    var message: SpliceMessage
    /// When it happens in UTC, or when it came where it says nothing of that.
    var time: MediaTime
    /// How far its feed had come when it came, in UTC: the same on every machine that has the feed.
    var heard: MediaTime
    /// Only who has told of a splice may say that it is another time's.
    var input: InputID
}
