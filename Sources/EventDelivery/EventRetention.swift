package import MediaCore

/// How much of what happened is kept.
package struct EventRetention: Hashable, Sendable {
    /// How long.
    package var duration: MediaTime
    /// Bytes in all; where there are more, the oldest go.
    package var maximumBytes: Int

    package init(duration: MediaTime, maximumBytes: Int) {
        (self.duration, self.maximumBytes) = (duration, maximumBytes)
    }
}
