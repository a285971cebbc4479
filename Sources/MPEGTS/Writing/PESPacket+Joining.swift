import NIOCore

extension PESPacket {
    /// Frames that follow each other share a packet up to this many ticks: 100 ms, so that a clock among audio is not
    /// rarer than that (ISO/IEC 13818-1 § 2.7.2).
    private static let maximumJoinedTime: Int64 = 9_000
    /// Frames share a packet up to this many bytes: with a header, sixteen transport packets.
    private static let maximumJoinedByteCount = 2_930

    /// Puts the access units of a stream into PES packets, and those into a multiple of 16 transport packets.
    ///
    /// - Parameters:
    ///   - units: In order of decoding.
    ///   - kind: The kind of the stream.
    ///   - stream: Its index.
    ///   - carriesClock: True if the program's clock is among them.
    /// - Returns: Them, in the same order.
    static func packets(
        of units: [TransportAccessUnit],
        kind: ElementaryStream.Kind,
        stream: Int,
        carriesClock: Bool
    ) -> [PESPacket] {
        var packets: [PESPacket] = []
        packets.reserveCapacity(units.count)
        for index in units.indices {
            if kind.isAudio, let last = packets.indices.last, packets[last].join(units[index], after: units[index - 1])
            {
                continue
            }
            let packet = PESPacket(units[index], at: index, of: kind, stream: stream, carriesClock: carriesClock)
            packet.appendCountable(to: &packets)
        }
        for index in packets.indices { packets[index].spread() }
        fill(&packets)
        return packets
    }

    /// Adds the next frame if it is presented right after the one before; players count its time.
    ///
    /// - Returns: False if a new packet has to start.
    private mutating func join(_ unit: TransportAccessUnit, after previous: TransportAccessUnit) -> Bool {
        let drift = unit.presentationTime &- previous.presentationTime &- previous.duration
        let end = unit.decodeTime &+ unit.duration &- decodeTime
        let byteCount = payloadByteCount + unit.byteCount
        // Times are rounded to ticks.
        guard previous.duration > 0, (-1...1).contains(drift), offset == 0, end <= Self.maximumJoinedTime,
            byteCount <= Self.maximumJoinedByteCount
        else { return false }
        units = units.lowerBound..<(units.upperBound + 1)
        payloadByteCount = byteCount
        return true
    }

    /// Appends the packet; one that is not video, and too long for its length field, goes in pieces.
    private func appendCountable(to packets: inout [PESPacket]) {
        var rest = self
        while !kind.isVideo, rest.payloadByteCount > Self.maximumCountedPayload {
            var piece = rest
            piece.payloadByteCount = Self.maximumCountedPayload
            packets.append(piece)
            rest.offset += piece.payloadByteCount
            rest.payloadByteCount -= piece.payloadByteCount
            rest.isRandomAccess = false
            rest.carriesClock = false
        }
        packets.append(rest)
    }

    /// Spreads one PES packet over more transport packets until there is a multiple of 16: continuity counters then end
    /// where every segment starts.
    private static func fill(_ packets: inout [PESPacket]) {
        let count = packets.reduce(0) { $0 + $1.packetCount }
        let missing = -count & (TransportPacket.counterModulus - 1)
        guard missing > 0 else { return }
        let index = packets.lastIndex { $0.canSpare(missing) } ?? packets.count - 1
        packets[index].spread(additional: missing)
    }
}
