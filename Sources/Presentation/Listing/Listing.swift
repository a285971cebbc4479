import Playlists

/// All playlists of a presentation as they follow from one state of it.
struct Listing: Sendable {
    /// A count that grows with every change; the newest listing wins.
    var generation: Int
    var multivariants: [MultivariantName: MultivariantPlaylist]
    var media: [RenditionID: ListedPlaylist]
    /// The playlists that are served now: nothing of them is rendered again.
    var served = RenderedListing(generation: 0)
    var executor = TextExecutor.shared

    /// - Parameter isStopped: Asked before each playlist.
    /// - Returns: Nil if it was stopped.
    func rendered(unless isStopped: () -> Bool = { false }) -> RenderedListing? {
        var rendered = RenderedListing(generation: generation, carried: served.carried)
        for (name, playlist) in multivariants {
            rendered.multivariants[name] = render(playlist, after: served.multivariants[name])
        }
        for (id, playlist) in media {
            if isStopped() { return nil }
            rendered.media[id] = render(playlist, after: served.media[id], &rendered.carried)
        }
        return rendered
    }

    private func render(_ playlist: MultivariantPlaylist, after last: RenderedMultivariant?) -> RenderedMultivariant {
        if let last, last.playlist == playlist { return last }
        var text = CompressedText()
        text.append(playlist.render())
        return RenderedMultivariant(playlist: playlist, text: make(text, after: last?.text))
    }

    private func render(
        _ playlist: ListedPlaylist,
        after last: RenderedPlaylist?,
        _ carried: inout CarriedLines
    ) -> RenderedPlaylist {
        var lines = last?.lines ?? LineBlocks()
        let text = playlist.render(&lines, &carried)
        let names = PlaylistsPublication.Names.slots(playlist.rendition, playlist.numbers)
        let end = playlist.slots.last?.number ?? playlist.frame.mediaSequence
        if let last, last.text.text.isEqual(to: text) {
            return RenderedPlaylist(
                generation: last.generation,
                text: last.text,
                lines: lines,
                names: names,
                end: end
            )
        }
        return RenderedPlaylist(
            generation: (last?.generation ?? 0) + 1,
            text: make(text, after: last?.text),
            lines: lines,
            names: names,
            end: end
        )
    }

    /// Returns a text, made at once where viewers have asked for those before it.
    private func make(_ text: CompressedText, after last: PlaylistText?) -> PlaylistText {
        let text = PlaylistText(text, demand: last?.demand ?? PlaylistDemand(), executor: executor)
        let wanted = text.demand.advance()
        if !wanted.isEmpty { _ = text.plain }
        if wanted.contains(.gzip) { text.make(.gzip) }
        return text
    }
}
