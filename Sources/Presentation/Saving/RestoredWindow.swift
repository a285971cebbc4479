package import MediaCore
package import NIOCore

/// A window that an earlier process, or a peer, has saved, with the bytes that are still there.
package struct RestoredWindow: Sendable {
    package var window: SavedWindow
    /// By path; what is missing is lost.
    package var bodies: [String: ByteBuffer]
    /// By path, the byte counts of what a ``BodyStore`` has and nobody has read.
    package var stored: [String: Int]

    /// - Parameters:
    ///   - window: What was listed.
    ///   - bodies: What was found; bytes that are not those that were listed are left out.
    ///   - stored: What was found and not read.
    package init(window: SavedWindow, bodies: [String: ByteBuffer], stored: [String: Int] = [:]) {
        self.window = window
        self.stored = stored
        let tags = Dictionary(window.files.map { ($0.path, $0.entityTag) }) { first, _ in first }
        self.bodies = bodies.filter { ContentHash(of: $0.value).entityTag == tags[$0.key] }
    }

    /// UTC at which nothing of it would be listed any more; nil where nothing can be.
    package func expiry(_ configuration: Presentation.Configuration) -> MediaTime? {
        var listed = window.window
        listed.removeSlots { bodies[$0] != nil || stored[$0] != nil }
        return listed.end.map { $0 + configuration.windowDuration }
    }

    /// Nil where the bytes are lost.
    func body(_ path: String, in store: (any BodyStore)?) -> Body? {
        if let bytes = bodies[path] { return .memory(bytes) }
        guard let store, let byteCount = stored[path] else { return nil }
        return .stored(StoredBody(path: path, byteCount: byteCount, store: store))
    }

    /// Whether none of a slot's segments is in memory.
    func isStored(_ slot: ListedSlot) -> Bool { slot.mediaPaths.allSatisfy { bodies[$0] == nil } }
}
