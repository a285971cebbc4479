package import MediaCore

/// The amount of events that is kept.
package struct EventRetention: Hashable, Sendable {
    /// The greatest age of an event.
    var duration: MediaTime
    /// Bytes in all; where there are more, the oldest go.
    var maximumBytes: Int

    package init(duration: MediaTime, maximumBytes: Int) {
        (self.duration, self.maximumBytes) = (duration, maximumBytes)
    }
}
