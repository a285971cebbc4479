import Playlists

/// All playlists of a presentation as they follow from one state of it.
struct Listing: Sendable {
    /// Grows with every change; the newest listing wins.
    var generation: Int
    var multivariants: [MultivariantName: MultivariantPlaylist]
    var media: [RenditionID: ListedPlaylist]
    /// What was rendered of the media playlists before.
    var lines: [RenditionID: LineBlocks] = [:]
    var carried = CarriedLines()

    /// - Parameter isStopped: Asked before each playlist.
    /// - Returns: Nil where it was stopped.
    func rendered(unless isStopped: () -> Bool = { false }) -> RenderedListing? {
        var rendered = RenderedListing(generation: generation, resources: [:], carried: carried)
        for (name, playlist) in multivariants {
            var text = CompressedText()
            text.append(playlist.render())
            rendered.resources[name.rawValue] = Resource(.multivariantPlaylist, playlist: text)
            rendered.names[name.rawValue] = .playlists(Set(playlist.uris))
        }
        for (id, playlist) in media {
            if isStopped() { return nil }
            var lines = lines[id] ?? LineBlocks()
            rendered.resources["\(id).m3u8"] = Resource(
                .mediaPlaylist,
                playlist: playlist.render(&lines, &rendered.carried)
            )
            rendered.names["\(id).m3u8"] = .slots(playlist.rendition, playlist.numbers)
            rendered.lines[id] = lines
            rendered.ends[id] = playlist.slots.last?.number
        }
        return rendered
    }
}
