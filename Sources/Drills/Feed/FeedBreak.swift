import MediaCore

/// A break of the programme that an encoder announces; times count from the start of the encoders.
struct FeedBreak: Hashable, Sendable {
    var start: MediaTime
    var end: MediaTime
    /// The time before each of the two at which it is announced first.
    var lead: MediaTime
}
