import Playlists

/// A rendition that an earlier run has published, until it has media again.
struct RestoredRendition: Sendable {
    var description: RenditionDescription
    var isClaimed = false
}
