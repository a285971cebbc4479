import MediaCore
import Playlists

/// The playlists of a ``Listing`` by path, ready to be sent.
struct RenderedListing: Sendable {
    var generation: Int
    var resources: [String: Resource] = [:]
    /// What each of them makes players fetch.
    var names: [String: PlaylistsPublication.Names] = [:]
    /// The newest slot of each playlist.
    var ends: [RenditionID: MediaSequenceNumber] = [:]
    /// What the next listing need not render again.
    var lines: [RenditionID: LineBlocks] = [:]
    var carried = CarriedLines()

    /// The playlists as consumers get them.
    var publication: PlaylistsPublication {
        var publication = PlaylistsPublication(playlists: [:])
        for (path, resource) in resources {
            guard let text = resource.body.memory, let names = names[path] else { continue }
            publication.playlists[path] = .init(text: text, entityTag: resource.entityTag, names: names)
        }
        return publication
    }
}
