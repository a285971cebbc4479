package import MediaCore
package import NIOCore

/// What is about to be published.
package struct Publication: Sendable {
    /// What is listed once the slot is, which is its last one.
    package var window: SavedWindow
    /// The bytes that the slot brings, by the paths that its lines name.
    package var bodies: [String: ByteBuffer]

    /// Slots before this one are not served any more; nil where those that are listed are all that count.
    package var oldestServed: MediaSequenceNumber?

    package init(
        window: SavedWindow,
        bodies: [String: ByteBuffer],
        oldestServed: MediaSequenceNumber? = nil
    ) {
        self.window = window
        self.bodies = bodies
        self.oldestServed = oldestServed
    }
}
