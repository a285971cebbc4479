import MPEGTS

/// Joins the packets of each PID to whole sections and PES packets.
struct TransportUnitCollector {
    /// The bytes of a PID from one unit start to the next.
    struct Unit {
        /// The offset of the packet that it starts in.
        var offset: Int
        var isRandomAccess: Bool
        var bytes: [UInt8]
    }

    private(set) var units: [UInt16: [Unit]] = [:]
    private var counters: [UInt16: UInt8] = [:]

    /// Collects everything in `stream`, which starts with a packet and ends with one.
    ///
    /// - Throws: At the first loss or damage: a sample has none.
    init(_ stream: [UInt8]) throws(TransportStreamError) {
        var offset = 0
        while offset < stream.count {
            guard let packet = ReceivedPacket(stream[offset...]) else { throw .noPacket(offset: offset) }
            try collect(packet, offset: offset)
            offset += TransportPacket.byteCount
        }
    }

    private mutating func collect(_ packet: ReceivedPacket, offset: Int) throws(TransportStreamError) {
        // Null packets' counters are undefined (ISO/IEC 13818-1 § 2.4.3.3).
        guard packet.pid != 0x1FFF, let payload = packet.payload else { return }
        if packet.isScrambled { throw .scrambled(pid: packet.pid) }
        if let counter = counters[packet.pid], !packet.isDiscontinuous,
            packet.continuityCounter != (counter + 1) & 15
        {
            throw .damagedPacket(pid: packet.pid, offset: offset)
        }
        counters[packet.pid] = packet.continuityCounter
        if packet.isUnitStart {
            let unit = Unit(offset: offset, isRandomAccess: packet.isRandomAccess, bytes: Array(payload))
            units[packet.pid, default: []].append(unit)
        } else if let last = units[packet.pid]?.indices.last {
            units[packet.pid]?[last].bytes.append(contentsOf: payload)
        }
    }
}
