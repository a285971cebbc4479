import MediaCore

/// Publications that follow from the state as it is.
extension Presentation.State {
    /// What has expired since this was asked; nil if nothing has, or while playlists may still list it.
    mutating func takeExpired() -> (publication: ExpiredPublication, position: StreamPosition)? {
        guard !isListingBehind, !expired.slots.isEmpty else { return nil }
        defer { expired = ExpiredPublication() }
        return (expired, advance())
    }

    /// All that is served, where `body` gets the bytes of a path.
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
