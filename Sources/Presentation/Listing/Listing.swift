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

    /// Returns a text, in the forms in which viewers have asked for those before it.
    ///
    /// Forms that are made afterwards, beside it, would have all viewers of a new playlist wait for threads that a busy
    /// machine does not run at once.
    private func make(_ text: CompressedText, after last: PlaylistText?) -> PlaylistText {
        let text = PlaylistText(text, demand: last?.demand ?? PlaylistDemand(), executor: executor)
        for form in text.demand.advance() {
            switch form {
            case .plain: _ = text.plain
            case .gzip: _ = text.gzip
            }
        }
        return text
    }
}
