package import MediaCore
package import Playlists

/// A segment as its playlist lists it.
package struct ListedSegment: Hashable, Sendable {
    package var kind: MediaKind
    package var line: MediaPlaylist.Segment
    /// The size in bytes; 0 in a gap.
    package var byteCount: Int
    /// The entity tag of its bytes; nil in a gap.
    package var entityTag: String?
    /// The slot whose keys and map are in force: its own, or, in a gap, the slot of the media before.
    package var mediaNumber: MediaSequenceNumber
    /// The entity tag of the initialization section that its map names.
    package var mapEntityTag: String?
    /// The ``PublishedSegment/fingerprint`` of the decoder configuration in force.
    package var fingerprint: String?
    /// The replacement for media of the feed.
    package var filler: PublishedSegment.Filler?
    /// The bytes of it that are listed for trick play; nil in a gap, and for audio.
    package var iFrame: Range<Int>?
    /// True if its pictures need no earlier ones (``PublishedSegment/isIndependent``).
    package var isIndependent = true
    /// The choice of its input.
    package var selection: SourceSelection?

    /// True if it is the feed's own media, not its replacement.
    package var isMedia: Bool { !line.isGap && filler == nil }
}
