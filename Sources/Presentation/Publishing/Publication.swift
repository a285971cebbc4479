package import NIOCore

/// What is about to be published.
package struct Publication: Sendable {
    /// What is listed once the slot is, which is its last one.
    package var window: SavedWindow
    /// The bytes that the slot brings, by the paths that its lines name.
    package var bodies: [String: ByteBuffer]

    package init(window: SavedWindow, bodies: [String: ByteBuffer]) {
        self.window = window
        self.bodies = bodies
    }
}
