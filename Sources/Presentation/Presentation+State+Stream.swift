import MediaCore

/// Publications that follow from the present state.
extension Presentation.State {
    /// Returns the slots and paths that have expired since the last call; nil if none have, or while playlists may
    /// still list them.
    mutating func takeExpired() -> (publication: ExpiredPublication, position: StreamPosition)? {
        guard !isListingBehind, !expired.slots.isEmpty else { return nil }
        defer { expired = ExpiredPublication() }
        return (expired, advance())
    }

    /// Returns a snapshot of everything that is served; `body` gets the bytes of a path.
    func streamSnapshot(_ body: @escaping @Sendable (String) -> Body?) -> StreamSnapshot {
        let isListed = !isListingBehind && hasPlaylists
        return StreamSnapshot(
            position: position,
            window: saved,
            retained: retained.map(\.slot),
            playlists: isListed ? installedPlaylists.publication : nil,
            end: window.last.map { configuration.segmentDuration * ($0.number.value + 1) },
            body: body
        )
    }
}
