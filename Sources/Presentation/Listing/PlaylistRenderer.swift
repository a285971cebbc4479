import MediaCore
import Playlists

/// Renders playlists, and reuses the lines that each has in common with the playlist before it.
struct PlaylistRenderer {
    /// The number of the rendering.
    let rendering: Int
    let executor: TextExecutor

    func render(_ playlist: MultivariantPlaylist, after last: RenderedMultivariant?) -> RenderedMultivariant {
        if let last, last.playlist == playlist { return last }
        var text = CompressedText()
        text.append(playlist.render())
        return RenderedMultivariant(playlist: playlist, text: make(text, after: last?.text))
    }

    func render(
        _ playlist: ListedPlaylist,
        after last: RenderedPlaylist?,
        _ carried: inout CarriedLines
    ) -> RenderedPlaylist {
        var lines = last?.lines ?? LineBlocks()
        let text = make(playlist.render(&lines, &carried), after: last?.text)
        var rendered = RenderedPlaylist(
            generation: last.map { $0.text === text ? $0.generation : $0.generation + 1 } ?? 1,
            rendering: rendering,
            text: text,
            lines: lines,
            skippedRanges: last?.skippedRanges ?? SharedLines(),
            end: playlist.slots.last?.number ?? playlist.frame.mediaSequence,
            openPartCount: playlist.frame.openSegments.first?.parts.count ?? 0,
            hasParts: playlist.frame.partTarget != nil
        )
        let skippedRanges = rendered.skippedRanges
        for skip in SkipDirective.allCases where playlist.hasUpdate(skip) {
            let demand = last?.deltas[skip]?.demand ?? PlaylistDemand()
            let update = PlaylistText(demand: demand, executor: executor) { playlist.renderUpdate(skip, skippedRanges) }
            rendered.deltas[skip] = prepared(update)
        }
        return rendered
    }

    /// Returns a media playlist for consumers that copy it; they answer no requests, so it has no low latency.
    func copy(
        _ playlist: ListedPlaylist,
        _ rendered: RenderedPlaylist,
        after last: PlaylistsPublication.Playlist?,
        _ carried: inout CarriedLines
    ) -> PlaylistsPublication.Playlist {
        let names = PlaylistsPublication.Names.slots(playlist.rendition, playlist.numbers)
        if playlist.lowLatency == nil { return .init(rendered.text, names: names) }
        var lines = rendered.lines
        return .init(make(playlist.withoutLowLatency.render(&lines, &carried), after: last?.content), names: names)
    }

    /// Returns a text object; if the text has not changed, the last one is used again.
    private func make(_ text: CompressedText, after last: PlaylistText?) -> PlaylistText {
        if let last, last.text.isEqual(to: text) { return last }
        return prepared(PlaylistText(text, demand: last?.demand ?? PlaylistDemand(), executor: executor))
    }

    /// Returns a text in the forms in which viewers have requested the texts before it.
    ///
    /// If forms were made later, all viewers of a new playlist would wait for threads that a busy machine delays.
    private func prepared(_ text: PlaylistText) -> PlaylistText {
        for form in text.demand.advance() {
            switch form {
            case .plain: _ = text.plain
            case .gzip: _ = text.gzip
            }
        }
        return text
    }
}
