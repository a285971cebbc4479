import MediaCore
import NIOCore

/// An ID3 tag of a feed, and when it is due.
struct TimedTag: Sendable {
    var utc: MediaTime
    var bytes: ByteBuffer
}
