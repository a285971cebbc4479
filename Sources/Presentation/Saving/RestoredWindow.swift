package import MediaCore
package import NIOCore

/// A window that an earlier process, or a peer, has saved, with the bytes that are still there.
package struct RestoredWindow: Sendable {
    package var window: SavedWindow
    /// The bytes by path; a missing path is lost.
    package var bodies: [String: ByteBuffer]
    /// The byte counts, by path, of bodies that a ``BodyStore`` has and that were not read.
    package var stored: [String: Int]
    /// The parts that viewers have of its newest slots, and of the slots after it.
    package private(set) var parts: SavedParts
    /// The places of parts in the segments of the window, by path.
    private let places: [String: Range<Int>]

    /// - Parameters:
    ///   - window: The window that was listed.
    ///   - bodies: The bytes that were found; those that differ from the listed ones are left out.
    ///   - stored: The byte counts of bodies that were found and not read.
    ///   - parts: The parts that were listed; those that cannot be listed again are left out.
    package init(
        window: SavedWindow,
        bodies: [String: ByteBuffer],
        stored: [String: Int] = [:],
        parts: SavedParts = SavedParts()
    ) {
        self.window = window
        self.stored = stored
        let named = window.files.map { ($0.path, $0.entityTag) } + parts.namedBytes
        let tags = Dictionary(named) { first, _ in first }
        let found = bodies.filter { ContentHash(of: $0.value).entityTag == tags[$0.key] }
        let places = parts.places(in: found)
        (self.bodies, self.places) = (found, places)
        self.parts = parts.listable(with: window) { part in
            part.namedBytes.allSatisfy { found[$0.path] != nil || places[$0.path] != nil }
        }
    }

    /// The parts of slots that are not over; those of a rendition are in order.
    package var openParts: [SavedPart] { parts.all(after: window.lastNumber) }

    /// Returns the bytes of a part that can be listed again, or their place.
    func content(of part: SavedPart) -> ListedPart.Content {
        if let place = places[part.path] { return .segment(place) }
        return bodies[part.path].map { .own($0) } ?? .gap
    }

    /// The time in UTC at which nothing of it would be listed any more; nil if nothing can be listed.
    package func expiry(_ configuration: Presentation.Configuration) -> MediaTime? {
        var listed = window.window
        listed.removeSlots { bodies[$0] != nil || stored[$0] != nil }
        return listed.end.map { $0 + configuration.windowDuration }
    }

    /// Returns the body of a path; nil if the bytes are lost.
    func body(_ path: String, in store: (any BodyStore)?) -> Body? {
        if let bytes = bodies[path] { return .memory(bytes) }
        guard let store, let byteCount = stored[path] else { return nil }
        return .stored(StoredBody(path: path, byteCount: byteCount, store: store))
    }

    /// Returns true if none of the slot's segments is in memory.
    func isStored(_ slot: ListedSlot) -> Bool { slot.mediaPaths.allSatisfy { bodies[$0] == nil } }
}
