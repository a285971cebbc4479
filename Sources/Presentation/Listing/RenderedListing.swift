import MediaCore
import Playlists

/// The playlists of a ``Listing``, ready to be made and sent.
struct RenderedListing: Sendable {
    var generation: Int
    var multivariants: [MultivariantName: RenderedMultivariant] = [:]
    var media: [RenditionID: RenderedPlaylist] = [:]
    /// The media playlists as consumers get them.
    var copies: [RenditionID: PlaylistsPublication.Playlist] = [:]
    var carried = CarriedLines()

    var paths: Set<String> { Set(multivariants.keys.map(\.rawValue) + media.keys.map(\.playlistPath)) }

    /// The playlists as consumers get them.
    var publication: PlaylistsPublication {
        var publication = PlaylistsPublication(playlists: [:])
        for (name, multivariant) in multivariants {
            let names = PlaylistsPublication.Names.playlists(Set(multivariant.playlist.uris))
            publication.playlists[name.rawValue] = .init(multivariant.text, names: names)
        }
        for (id, playlist) in copies { publication.playlists[id.playlistPath] = playlist }
        return publication
    }
}

/// A multivariant playlist that is served.
struct RenderedMultivariant: Sendable {
    var playlist: MultivariantPlaylist
    var text: PlaylistText
}

/// A media playlist that is served.
struct RenderedPlaylist: Sendable {
    /// Counts the texts that the playlist has had.
    var generation: Int
    /// The number of the rendering, over all playlists of the channel: a later one has all that this one has.
    var rendering: Int
    var text: PlaylistText
    /// The texts for players that have an older copy; empty if a delta update could skip no segment.
    var deltas: [SkipDirective: PlaylistText] = [:]
    /// The lines that the next text need not have rendered again.
    var lines: LineBlocks
    /// The ranges of skipped slots in a delta update, shared by all its texts.
    var skippedRanges: SharedLines
    /// The newest slot that it lists as a whole.
    var end: MediaSequenceNumber
    /// The number of parts that it lists of the slot after that.
    var openPartCount: Int
    /// True if its segments come in parts.
    var hasParts: Bool
}

extension RenditionID {
    /// The path of the playlist, below the channel's name.
    var playlistPath: String { "\(self).m3u8" }
}
