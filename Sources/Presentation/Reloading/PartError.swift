package import Playlists

/// The reason why a part was not published; nothing has changed.
package enum PartError: Error, Hashable, Sendable {
    /// The rendition has no playlist yet: a channel begins with whole slots, and so does a rendition.
    case notListed(RenditionID)
    /// A part was skipped or is there again, or its slot does not follow the newest one that is whole.
    case outOfSequence(expected: PlaylistPosition, found: PlaylistPosition)
    /// The presentation has ended.
    case ended
}
