/// Finds the place where a second reader of a feed continues the first, even if it began before the first stopped.
enum FeedJunction {
    /// Packets of a transport stream begin with this byte, and have this length (ISO/IEC 13818-1 § 2.4.3.2).
    private static let syncByte: UInt8 = 0x47
    private static let packetByteCount = 188
    /// The number of bytes that are unique by their timestamps, counters and payloads.
    static let enough = 4_096
    /// The number of packets in a row that prove a transport stream.
    private static let enoughPackets = 8

    /// Returns true if bytes from the middle of a feed can be read without those before them.
    static func isTransportStream(_ bytes: [UInt8]) -> Bool {
        let length = packetByteCount * enoughPackets
        guard bytes.count >= length + packetByteCount else { return false }
        return (0..<packetByteCount).contains { start in
            stride(from: start, to: start + length, by: packetByteCount).allSatisfy { bytes[$0] == syncByte }
        }
    }

    /// Returns the number of the second's bytes that are the end of the first's.
    ///
    /// - Parameters:
    ///   - head: The first ``enough`` bytes that the second has read, or all if there are fewer.
    ///   - earlier: The bytes that the first has read.
    /// - Returns: 0 if the second begins behind the first.
    static func overlap(of head: [UInt8], with earlier: [UInt8]) -> Int {
        // Over a connection, neither need begin at a packet.
        guard min(head.count, earlier.count) >= packetByteCount else { return 0 }
        // Null packets are all alike: only what is behind those at the beginning is evidence.
        let evidence = nullPackets(at: head) * packetByteCount + packetByteCount
        guard min(head.count, earlier.count) >= evidence else { return 0 }
        for start in 0...earlier.count - evidence
        where earlier[start] == head[0] && earlier[start + 1] == head[1] && earlier[start + 3] == head[3] {
            let count = min(head.count, earlier.count - start)
            if earlier[start..<start + count].elementsEqual(head[..<count]) { return earlier.count - start }
        }
        return 0
    }

    /// The number of null packets that bytes begin with (ISO/IEC 13818-1 § 2.4.3.3).
    private static func nullPackets(at bytes: [UInt8]) -> Int {
        stride(from: 0, to: bytes.count - packetByteCount + 1, by: packetByteCount).prefix { start in
            bytes[start] == syncByte && bytes[start + 1] & 0x1F == 0x1F && bytes[start + 2] == 0xFF
        }.count
    }
}
