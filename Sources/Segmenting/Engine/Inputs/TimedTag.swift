package import MediaCore
package import NIOCore

/// An ID3 tag of a feed, with the time at which it is due.
package struct TimedTag: Hashable, Sendable {
    package var utc: MediaTime
    package var bytes: ByteBuffer

    /// Returns the time after the start of a segment at which players read the tag: at once if its own segment was a
    /// gap.
    package func delay(in cut: CutSegment) -> MediaTime { max(.zero, utc - cut.start.utc) }
}
