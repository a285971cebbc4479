package import NIOCore

/// A segment of a transport stream with one program (ISO/IEC 13818-1; RFC 8216bis § 3.1.1).
///
/// It does not depend on earlier segments. Each PID has a multiple of 16 packets with payload, so that continuity
/// counters start at 0 in every segment. Times are those of the timeline modulo 2^33. PAT and PMT come first, and 16
/// times in all.
///
/// All sizes are known before the first byte is written: the segment is allocated once at most, and every payload
/// copied once.
package struct TransportStreamSegment: Sendable {
    private let program: TransportProgram
    private let units: [[TransportAccessUnit]]

    /// Makes a segment of access units.
    ///
    /// - Parameters:
    ///   - program: The program, the same for all segments up to a discontinuity.
    ///   - units: The access units of each of the program's streams, in order of decoding. Streams may have none.
    /// - Precondition: There are as many lists as streams, and fewer than 2^31 bytes in all.
    package init(_ program: TransportProgram, units: [[TransportAccessUnit]]) {
        precondition(units.count == program.streams.count, "there are access units of each stream")
        self.program = program
        self.units = units
    }

    /// Writes the segment.
    ///
    /// - Parameter room: A buffer whose memory is written over, if nobody else has it and it is large enough.
    /// - Returns: The bytes, and the number of those at the start that hold PAT, PMT and the first picture; nil if
    ///   there is no picture, or decoding cannot start with the first.
    package func encode(
        into room: consuming ByteBuffer = ByteBuffer()
    ) -> (bytes: ByteBuffer, firstPictureByteCount: Int?) {
        let schedule = SegmentSchedule(program, units: units)
        let byteCount = schedule.packetCount * TransportPacket.byteCount
        room.clear(minimumCapacity: byteCount)
        room.writeWithOutputRawSpan(minimumWritableBytes: byteCount) { span in
            var writer = TransportPacketWriter(program)
            for entry in schedule.entries { writer.write(entry, units: units, to: &span) }
        }
        return (room, schedule.firstPicturePacketCount.map { $0 * TransportPacket.byteCount })
    }
}
