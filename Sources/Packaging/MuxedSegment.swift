import NIOCore
import Playlists
import Presentation

/// A segment as its format stores it.
struct MuxedSegment {
    var bytes: ByteBuffer
    /// The initialization section; nil in a format that has none.
    var initialization: PublishedSegment.InitializationSection?
    /// The range of its first picture that needs no other, ``PublishedSegment/iFrame``.
    var iFrame: Range<Int>?
    /// The length of its media, if its cut has another.
    var duration: SegmentDuration?
}
