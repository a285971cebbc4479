import NIOCore
import Playlists
import Presentation

/// A segment as its format stores it.
struct MuxedSegment {
    var bytes: ByteBuffer
    /// Nil in a format that has none.
    var initialization: PublishedSegment.InitializationSection?
    /// As ``PublishedSegment/fingerprint``.
    var fingerprint: String
    /// As ``PublishedSegment/iFrame``.
    var iFrame: Range<Int>?
    /// How long its media lasts, where that is not what its cut says.
    var duration: SegmentDuration?
}
