/// Finds where a feed goes on that two have read, one after the other: the second may have begun before the first left off.
struct FeedJunction {
    /// Packets of a transport stream begin with this byte, and have this length (ISO/IEC 13818-1 § 2.4.3.2).
    private static let packetByteCount = 188
    /// So many bytes are told from any others by the timestamps, counters and payloads in them.
    static let enough = 4_096

    /// How many bytes of the second's are the end of the first's.
    ///
    /// - Parameters:
    ///   - head: The first ``enough`` bytes that the second has read, or all where there are no more.
    ///   - tape: What the first has read.
    /// - Returns: 0 where the second begins behind the first.
    static func overlap(of head: [UInt8], with tape: [UInt8]) -> Int {
        var start = tape.count - packetByteCount
        while start >= 0, !head.isEmpty {
            let count = min(head.count, tape.count - start)
            if tape[start] == head[0], tape[start..<start + count].elementsEqual(head[..<count]) {
                return tape.count - start
            }
            start -= packetByteCount
        }
        return 0
    }
}
