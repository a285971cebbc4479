import MediaCore
import Playlists

/// A segment as its playlist lists it.
struct ListedSegment: Hashable, Sendable {
    var kind: MediaKind
    var line: MediaPlaylist.Segment
    /// The size in bytes; 0 in a gap.
    var byteCount: Int
    /// The entity tag of its bytes; nil in a gap.
    var entityTag: String?
    /// The slot whose keys and map are in force: its own, or in a gap that of the media before.
    var mediaNumber: MediaSequenceNumber
    /// The entity tag of the initialization section that its map names.
    var mapEntityTag: String?
    /// The ``PublishedSegment/fingerprint`` of the decoder configuration in force.
    var fingerprint: String?
    /// The replacement for media of the feed.
    var filler: PublishedSegment.Filler?
    /// The bytes of it that are listed for fast motion; nil in a gap, and for audio.
    var iFrame: Range<Int>?
    /// True if its pictures need no earlier ones (``PublishedSegment/isIndependent``).
    var isIndependent = true
    /// The choice of its input.
    var selection: SourceSelection?

    /// True if it is the feed's own media, not its replacement.
    var isMedia: Bool { !line.isGap && filler == nil }
}
