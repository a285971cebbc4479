import MediaCore

/// A cue with its origin and its times.
struct ReceivedCue: Sendable {
    /// A cue of the section.
    var cue: SpliceCue
    /// The message with the section.
    var message: SpliceMessage
    /// The time of the cue in UTC, or of its arrival where it has none.
    var time: MediaTime
    /// The progress of its feed when it came, in UTC: the same on every machine that has the feed.
    var heard: MediaTime
    /// The input that sent it; only this one may move it to another time.
    var input: InputID
}
