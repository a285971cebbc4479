/// Finds where the packets of elementary streams (PES) end in a transport stream.
///
/// Between these places a demuxer has nothing new to give (ISO/IEC 13818-1 § 2.4.3.6).
struct PESEnds {
    /// The bytes of a PES packet that have not come yet.
    private enum Rest {
        case bytes(Int)
        /// It does not say how long it is, and ends where the next one begins.
        case unknown
    }

    /// The PES packets that have begun, by PID: 8,192 at most, since a PID has 13 bits.
    private var open: [UInt16: Rest] = [:]

    private static let packetLength = 188

    /// Looks at what has come next.
    ///
    /// - Parameter bytes: Packets of 188 bytes; in anything else a PES packet may end anywhere.
    /// - Returns: True if a PES packet ends in it.
    mutating func pass(_ bytes: ArraySlice<UInt8>) -> Bool {
        var isFound = !bytes.count.isMultiple(of: Self.packetLength)
        var start = bytes.startIndex
        while bytes.endIndex - start >= Self.packetLength {
            let end = start + Self.packetLength
            isFound = ends(in: bytes[start..<end]) || isFound
            start = end
        }
        return isFound
    }

    private mutating func ends(in packet: ArraySlice<UInt8>) -> Bool {
        let start = packet.startIndex
        guard packet[start] == 0x47 else { return true }
        let pid = UInt16(packet[start + 1] & 0x1F) << 8 | UInt16(packet[start + 2])
        let (hasAdaptation, hasPayload) = (packet[start + 3] & 0x20 != 0, packet[start + 3] & 0x10 != 0)
        guard hasPayload else { return false }
        let payload = packet.dropFirst(hasAdaptation ? 5 + Int(packet[start + 4]) : 4)
        var hasEnded = false
        if packet[start + 1] & 0x40 != 0 {
            hasEnded = open[pid] != nil
            open[pid] = Self.rest(ofOneThatBeginsWith: payload)
        }
        guard case .bytes(let count) = open[pid] else { return hasEnded }
        open[pid] = count > payload.count ? .bytes(count - payload.count) : nil
        return hasEnded || count <= payload.count
    }

    /// Returns the length of a PES packet (§ 2.4.3.7); nil for a section of a table.
    private static func rest(ofOneThatBeginsWith payload: ArraySlice<UInt8>) -> Rest? {
        let start = payload.startIndex
        guard payload.count >= 6, payload[start] == 0, payload[start + 1] == 0, payload[start + 2] == 1 else {
            return nil
        }
        let length = Int(payload[start + 4]) << 8 | Int(payload[start + 5])
        return length == 0 ? .unknown : .bytes(length + 6)
    }
}
