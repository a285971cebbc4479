/// A cue from a feed.
package struct FeedCue: Hashable, Sendable {
    /// The start in 90 kHz ticks, as the feed counts them.
    package var start: Int64
    /// The duration in 90 kHz ticks; nil while its end is unknown.
    package var duration: Int64?
    package var content: CueContent

    package init(start: Int64, duration: Int64?, content: CueContent) {
        self.start = start
        self.duration = duration
        self.content = content
    }
}
