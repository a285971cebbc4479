package import Playlists

/// A condition that a request waits for.
package enum PlaylistCondition: Hashable, Sendable {
    /// Playlists are long enough to begin with.
    case startable
    /// A rendition's playlist has a segment or a part, or a later one.
    case reaches(RenditionID, PlaylistPosition)
    /// A part of a rendition exists, or never will.
    case decides(RenditionID, PlaylistPosition)
}
