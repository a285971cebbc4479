package import MediaCore
package import Playlists

/// The reason why a slot was not published; the window stays as it was.
package enum PublicationError: Error, Hashable, Sendable {
    /// A number was skipped or came twice: a published line never changes, and the window has no holes.
    case outOfSequence(expected: MediaSequenceNumber, found: MediaSequenceNumber)
    /// The slot's renditions are not the declared ones.
    case renditionsDiffer(missing: [RenditionID], undeclared: [RenditionID])
    /// The presentation has ended.
    case ended
}
