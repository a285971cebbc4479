import MediaCore

/// A break of the programme that an encoder tells of; times count from the start of the encoders.
struct FeedBreak: Hashable, Sendable {
    var start: MediaTime
    var end: MediaTime
    /// How long before each of the two it is told of first.
    var lead: MediaTime
}
