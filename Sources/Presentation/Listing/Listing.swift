import Playlists

/// All playlists of a presentation as they follow from one state of it.
struct Listing: Sendable {
    /// A count that grows with every change; the newest listing wins.
    var generation: Int
    /// A count that grows with every rendering, also of one playlist; the newest text of a playlist wins.
    var rendering = 0
    var multivariants: [MultivariantName: MultivariantPlaylist]
    var media: [RenditionID: ListedPlaylist]
    /// The playlists that are served now: nothing of them is rendered again.
    var served = RenderedListing(generation: 0)
    var executor = TextExecutor.shared

    /// - Parameter isStopped: Asked before each playlist.
    /// - Returns: Nil if it was stopped.
    func rendered(unless isStopped: () -> Bool = { false }) -> RenderedListing? {
        let renderer = PlaylistRenderer(rendering: rendering, executor: executor)
        var rendered = RenderedListing(generation: generation, carried: served.carried)
        for (name, playlist) in multivariants {
            rendered.multivariants[name] = renderer.render(playlist, after: served.multivariants[name])
        }
        for (id, playlist) in media {
            if isStopped() { return nil }
            let media = renderer.render(playlist, after: served.media[id], &rendered.carried)
            rendered.media[id] = media
            rendered.copies[id] = renderer.copy(playlist, media, after: served.copies[id], &rendered.carried)
        }
        return rendered
    }
}
