package import MediaCore
package import NIOCore

/// An ID3 tag of a feed, and when it is due.
package struct TimedTag: Sendable {
    package var utc: MediaTime
    package var bytes: ByteBuffer
}
