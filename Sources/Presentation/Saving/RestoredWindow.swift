package import MediaCore
package import NIOCore

/// A window that an earlier process, or a peer, has saved, with the bytes that are still there.
package struct RestoredWindow: Sendable {
    package var window: SavedWindow
    /// By path; what is missing is lost.
    package var bodies: [String: ByteBuffer]

    /// - Parameters:
    ///   - window: What was listed.
    ///   - bodies: What was found; bytes that are not those that were listed are left out.
    package init(window: SavedWindow, bodies: [String: ByteBuffer]) {
        self.window = window
        let tags = Dictionary(window.files.map { ($0.path, $0.entityTag) }) { first, _ in first }
        self.bodies = bodies.filter { ContentHash(of: $0.value).entityTag == tags[$0.key] }
    }

    /// UTC at which nothing of it would be listed any more; nil where nothing can be.
    package func expiry(_ configuration: Presentation.Configuration) -> MediaTime? {
        var listed = window.window
        listed.removeSlots { bodies[$0] != nil }
        return listed.end.map { $0 + configuration.windowDuration }
    }
}
