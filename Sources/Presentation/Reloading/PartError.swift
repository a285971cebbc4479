package import Playlists

/// The reason why a part was not published; nothing has changed.
package enum PartError: Error, Hashable, Sendable {
    /// Playlists list no parts, or too many renditions that have no playlist have some.
    case notListed(RenditionID)
    /// A part was skipped or came twice, or its slot is too far ahead of the whole ones.
    case outOfSequence(expected: PlaylistPosition, found: PlaylistPosition)
    /// The slot has more parts than its length allows.
    case tooMany(PlaylistPosition)
    /// The presentation has ended.
    case ended
}
