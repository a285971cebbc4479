import MediaCore
import Playlists

/// A segment as its playlist lists it.
struct ListedSegment: Hashable, Sendable {
    var kind: MediaKind
    var line: MediaPlaylist.Segment
    /// 0 in a gap.
    var byteCount: Int
    /// Nil in a gap.
    var entityTag: String?
    /// The slot whose keys and map are in force: its own, or in a gap that of the media before.
    var mediaNumber: MediaSequenceNumber
    /// Of the initialization section that its map names.
    var mapEntityTag: String?
    /// Of the decoder configuration in force: ``PublishedSegment/fingerprint``.
    var fingerprint: String?
    /// What stands in for media of the feed.
    var filler: PublishedSegment.Filler?
    /// The bytes of it that are listed for fast motion; nil in a gap, and of audio.
    var iFrame: Range<Int>?
    /// As ``PublishedSegment/isIndependent``.
    var isIndependent = true
    /// How its input was chosen.
    var selection: SourceSelection?

    /// Whether it is the feed's own, and not what stands in for it.
    var isMedia: Bool { !line.isGap && filler == nil }
}
