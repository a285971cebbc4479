import Playlists

/// The playlists to render, with the state that they follow from; listing and rendering hold no lock.
///
/// The state shares its storage with the one that continues, so it is kept no longer than that takes.
struct PendingListing: Sendable {
    let generation: Int
    let state: Presentation.State

    /// Lists and renders them.
    ///
    /// - Parameter isStopped: Asked before each playlist.
    /// - Returns: Nil if it was stopped.
    func rendered(unless isStopped: () -> Bool = { false }) -> RenderedListing? {
        state.listing(generation: generation)?.rendered(unless: isStopped)
    }
}

/// The playlist of one rendition that is due because of a part, with the state that it follows from.
struct PendingPlaylist: Sendable {
    let rendition: RenditionID
    let state: Presentation.State

    /// Lists and renders it; nil if it is no longer listed.
    func rendered() -> RenderedPlaylist? {
        guard let playlist = state.listedPlaylist(of: rendition) else { return nil }
        var carried = state.carried
        return PlaylistRenderer(rendering: state.renderings, executor: state.texts)
            .render(playlist, after: state.timelines[rendition]?.playlist, &carried)
    }
}
