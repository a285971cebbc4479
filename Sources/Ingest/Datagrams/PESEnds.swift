/// Finds the ends of packets of elementary streams (PES) in a transport stream.
///
/// Between these places a demuxer has nothing new to give (ISO/IEC 13818-1 § 2.4.3.6).
struct PESEnds {
    /// The bytes of a PES packet that have not come yet.
    private enum Rest {
        case bytes(Int)
        /// The packet does not name its length, and ends where the next one begins.
        case unknown
    }

    /// The PID that was seen last, and its PES packet that has begun: most packets are of one stream after the other.
    private var last: (pid: UInt16, open: Rest?) = (0, nil)
    /// The PES packets of other PIDs that have begun: 8,192 at most, since a PID has 13 bits.
    private var others: [UInt16: Rest] = [:]

    private static let packetLength = 188

    /// Looks at the next bytes.
    ///
    /// - Parameter bytes: Packets of 188 bytes; in other data a PES packet may end anywhere.
    /// - Returns: True if a PES packet ends in it.
    mutating func pass(_ bytes: RawSpan) -> Bool {
        var isFound = !bytes.byteCount.isMultiple(of: Self.packetLength)
        var start = 0
        while bytes.byteCount - start >= Self.packetLength {
            isFound = ends(in: bytes.extracting(start..<start + Self.packetLength)) || isFound
            start += Self.packetLength
        }
        return isFound
    }

    private mutating func ends(in packet: RawSpan) -> Bool {
        guard packet.byte(0) == 0x47 else { return true }
        let pid = UInt16(packet.byte(1) & 0x1F) << 8 | UInt16(packet.byte(2))
        let (hasAdaptation, hasPayload) = (packet.byte(3) & 0x20 != 0, packet.byte(3) & 0x10 != 0)
        guard hasPayload else { return false }
        let head = hasAdaptation ? 5 + Int(packet.byte(4)) : 4
        let payload = packet.extracting(droppingFirst: min(head, packet.byteCount))
        if pid != last.pid {
            others[last.pid] = last.open
            last = (pid, others.removeValue(forKey: pid))
        }
        var hasEnded = false
        if packet.byte(1) & 0x40 != 0 {
            hasEnded = last.open != nil
            last.open = Self.rest(ofOneThatBeginsWith: payload)
        }
        guard case .bytes(let count) = last.open else { return hasEnded }
        last.open = count > payload.byteCount ? .bytes(count - payload.byteCount) : nil
        return hasEnded || count <= payload.byteCount
    }

    /// Returns the length of a PES packet (§ 2.4.3.7); nil for a section of a table.
    private static func rest(ofOneThatBeginsWith payload: RawSpan) -> Rest? {
        guard payload.byteCount >= 6, payload.byte(0) == 0, payload.byte(1) == 0, payload.byte(2) == 1 else {
            return nil
        }
        let length = Int(payload.byte(4)) << 8 | Int(payload.byte(5))
        return length == 0 ? .unknown : .bytes(length + 6)
    }
}
