package import MediaCore

/// Text that is shown for a while.
package struct ScheduledCue: Hashable, Sendable {
    /// UTC.
    package var start: MediaTime
    /// UTC, after `start`.
    package var end: MediaTime
    /// The text in the form in which cues pass through the channel.
    package var payload: String

    package init(start: MediaTime, end: MediaTime, payload: String) {
        (self.start, self.end, self.payload) = (start, end, payload)
    }
}
