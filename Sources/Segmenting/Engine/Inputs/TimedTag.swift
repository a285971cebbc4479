package import MediaCore
package import NIOCore

/// An ID3 tag of a feed, and when it is due.
package struct TimedTag: Sendable {
    package var utc: MediaTime
    package var bytes: ByteBuffer

    /// How long after the start of a segment that has it players read it: one whose own segment was a gap, at once.
    package func delay(in cut: CutSegment) -> MediaTime { max(.zero, utc - cut.start.utc) }
}
