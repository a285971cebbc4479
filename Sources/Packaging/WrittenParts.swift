import MediaCore
import NIOCore

/// The written parts of segments that are not joined yet.
///
/// The segment of a slot may wait for other renditions, while parts of the slot after it are written.
struct WrittenParts {
    private struct Slot {
        let number: MediaSequenceNumber
        var parts: [MuxedSegment] = []
    }

    /// The slots, oldest first.
    private var slots: [Slot] = []

    /// The most slots whose parts are kept: those of a slot that has become a gap are never joined.
    private static let mostSlots = 4

    /// Adds a part, unless one before it is missing.
    mutating func add(_ part: MuxedSegment, of number: MediaSequenceNumber, at index: Int) {
        if index == 0 {
            slots.append(Slot(number: number))
            if slots.count > Self.mostSlots { slots.removeFirst() }
        }
        guard let slot = slots.lastIndex(where: { $0.number == number }), slots[slot].parts.count == index else {
            return
        }
        slots[slot].parts.append(part)
    }

    /// Joins the parts of a segment, and forgets those of all segments before it.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - count: The number of its parts.
    ///   - room: A buffer whose memory is written over, if nobody else has it.
    /// - Returns: The segment.
    /// - Throws: ``SegmentMuxerError/lacksParts`` if one is missing.
    mutating func join(
        _ number: MediaSequenceNumber,
        count: Int,
        into room: consuming ByteBuffer
    ) throws(SegmentMuxerError) -> MuxedSegment {
        let parts = slots.first { $0.number == number }?.parts ?? []
        slots.removeAll { $0.number <= number }
        guard parts.count == count, var segment = parts.first else { throw .lacksParts }
        room.clear(minimumCapacity: parts.reduce(0) { $0 + $1.bytes.readableBytes })
        for part in parts { room.writeImmutableBuffer(part.bytes) }
        segment.bytes = room
        return segment
    }
}
