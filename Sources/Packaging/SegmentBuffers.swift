import NIOCore

/// The buffers of a rendition's newest segments.
///
/// Later segments are written into those that have no other owner.
///
/// Memory that is new costs a page fault for every 4 kB. A job is done with a segment two slots later. The window of a
/// live channel keeps its segments, so each is in a new buffer.
struct SegmentBuffers {
    /// The oldest first.
    private var buffers: [ByteBuffer] = []

    /// The number of buffers: a segment is written while the one before it goes to the disk.
    private static let count = 2
    /// The most bytes that a buffer keeps.
    private static let maximumCapacity = 1 << 25

    /// Takes the buffer for the next segment: an empty one until there are enough.
    mutating func take() -> ByteBuffer {
        buffers.count < Self.count ? ByteBuffer() : buffers.removeFirst()
    }

    /// Keeps the buffer of a complete segment; later writes into it make a copy while the segment exists.
    mutating func keep(_ buffer: ByteBuffer) {
        if buffer.capacity <= Self.maximumCapacity { buffers.append(buffer) }
    }
}
