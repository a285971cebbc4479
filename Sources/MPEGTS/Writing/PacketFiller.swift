import MediaCore

/// Spreads the bytes of one PES packet over its transport packets.
///
/// Packets are filled so that a byte is left for each that follows. If fewer bytes than packets are left, stuffing in
/// adaptation fields fills them up (ISO/IEC 13818-1 § 2.4.3.5).
struct PacketFiller {
    /// The continuity counter of the next packet; its low four bits count.
    private(set) var counter: UInt8
    private let pid: UInt16
    private let packet: PESPacket
    private let clock: Int64?
    private var packetsLeft: Int
    /// Bytes that are in no packet yet.
    private var bytesLeft: Int
    /// Bytes that the open packet still takes.
    private var room = 0

    init(_ packet: PESPacket, pid: UInt16, counter: UInt8, clock: Int64) {
        self.packet = packet
        self.pid = pid
        self.counter = counter
        self.clock = packet.carriesClock ? clock : nil
        packetsLeft = packet.packetCount
        bytesLeft = packet.byteCount
    }

    /// Takes the next of the bytes that the packet has been measured for.
    mutating func write(_ bytes: borrowing RawSpan, to span: inout OutputRawSpan) {
        var offset = 0
        while offset < bytes.byteCount {
            if room == 0 { openPacket(&span) }
            let count = min(room, bytes.byteCount - offset)
            span.write(bytes.extracting(offset..<(offset + count)))
            offset += count
            room -= count
        }
    }

    private mutating func openPacket(_ span: inout OutputRawSpan) {
        let isFirst = packetsLeft == packet.packetCount
        let required = isFirst ? packet.adaptationFieldByteCount : 0
        room = min(TransportPacket.maximumPayload - required, bytesLeft - packetsLeft + 1)
        let fieldByteCount = TransportPacket.maximumPayload - room
        span.writePacketHeader(
            pid: pid,
            isUnitStart: isFirst,
            hasAdaptationField: fieldByteCount > 0,
            counter: counter
        )
        if fieldByteCount > 0 {
            span.writeAdaptationField(
                byteCount: fieldByteCount,
                isRandomAccess: isFirst && packet.isRandomAccess,
                clock: isFirst ? clock : nil
            )
        }
        bytesLeft -= room
        packetsLeft -= 1
        counter &+= 1
    }
}
