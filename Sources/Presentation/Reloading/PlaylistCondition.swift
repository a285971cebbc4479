import Playlists

/// A condition that a request waits for.
enum PlaylistCondition: Hashable, Sendable {
    /// Playlists are long enough to begin with.
    case startable
    /// A rendition's playlist has a segment or a part, or a later one.
    case reaches(RenditionID, PlaylistPosition)
}
