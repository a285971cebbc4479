package import MediaCore

/// Text that is shown for a while.
package struct ScheduledCue: Hashable, Sendable {
    /// UTC.
    package var start: MediaTime
    /// UTC, after `start`.
    package var end: MediaTime
    /// As the engine carries it.
    package var payload: String

    package init(start: MediaTime, end: MediaTime, payload: String) {
        (self.start, self.end, self.payload) = (start, end, payload)
    }
}
