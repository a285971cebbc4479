/// Playlists that are due, with the state that they follow from: they are listed and rendered under no lock.
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
