import MediaCore
import Playlists

/// The playlists of a ``Listing``, ready to be made and sent.
struct RenderedListing: Sendable {
    var generation: Int
    var multivariants: [MultivariantName: RenderedMultivariant] = [:]
    var media: [RenditionID: RenderedPlaylist] = [:]
    var carried = CarriedLines()

    var paths: Set<String> { Set(multivariants.keys.map(\.rawValue) + media.keys.map(\.playlistPath)) }

    /// The playlists as consumers get them.
    var publication: PlaylistsPublication {
        var publication = PlaylistsPublication(playlists: [:])
        for (name, multivariant) in multivariants {
            let names = PlaylistsPublication.Names.playlists(Set(multivariant.playlist.uris))
            publication.playlists[name.rawValue] = .init(multivariant.text, names: names)
        }
        for (id, playlist) in media {
            publication.playlists[id.playlistPath] = .init(playlist.text, names: playlist.names)
        }
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
    var text: PlaylistText
    /// The lines that the next text need not have rendered again.
    var lines: LineBlocks
    var names: PlaylistsPublication.Names
    /// The newest slot that it lists.
    var end: MediaSequenceNumber
}

extension RenditionID {
    /// The path of the playlist, below the channel's name.
    var playlistPath: String { "\(self).m3u8" }
}
