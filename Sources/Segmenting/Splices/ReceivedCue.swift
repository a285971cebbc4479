import MediaCore

/// A cue with its origin and its times.
struct ReceivedCue: Sendable {
    /// A cue of the section.
    var cue: SpliceCue
    /// The message with the section.
    var message: SpliceMessage
    /// The time of the cue in UTC, or of its arrival if it has none.
    var time: MediaTime
    /// The progress of its feed at the cue's arrival, in UTC; every machine that reads the feed finds the same value.
    var heard: MediaTime
    /// The input that sent it; only this one may move it to another time.
    var input: InputID
}
