/// What stands before an access unit in a PES packet (ISO/IEC 13818-1 § 2.4.3.6).
struct PESHeader: Hashable, Sendable {
    var streamID: UInt8
    /// In 90 kHz ticks, 33 bits.
    var presentationTimestamp: Int64
    /// In 90 kHz ticks, 33 bits; the same as the other where the packet carries only one.
    var decodeTimestamp: Int64

    /// Where timestamps wrap.
    static let modulus: Int64 = 1 << 33

    /// Reads the header and tells where the payload is; nil if it is malformed, cut off or has no timestamp.
    static func read(_ packet: [UInt8]) -> (header: PESHeader, payload: Range<Int>)? {
        guard packet.count >= 9, isPES(packet), packet[6] & 0xC0 == 0x80 else { return nil }
        let length = Int(packet[4]) << 8 | Int(packet[5])
        // 0 is "until the next one starts", which only video may say.
        let end = length == 0 ? packet.count : 6 + length
        let start = 9 + Int(packet[8])
        guard start <= end, end <= packet.count else { return nil }
        let flags = packet[7] >> 6
        guard flags & 2 != 0, start >= (flags == 3 ? 19 : 14) else { return nil }
        let presentation = timestamp(packet[9..<14])
        let decode = flags == 3 ? timestamp(packet[14..<19]) : presentation
        return (
            PESHeader(streamID: packet[3], presentationTimestamp: presentation, decodeTimestamp: decode), start..<end
        )
    }

    /// Whether a unit is a PES packet rather than a section: packet_start_code_prefix.
    static func isPES(_ unit: [UInt8]) -> Bool { unit.starts(with: [0, 0, 1]) }

    /// The header of a packet with so many bytes of payload.
    func bytes(payloadCount: Int) -> [UInt8] {
        let hasDecodeTimestamp = decodeTimestamp != presentationTimestamp
        let dataLength = hasDecodeTimestamp ? 10 : 5
        let length = 3 + dataLength + payloadCount
        let stated = length <= 0xFFFF ? UInt16(length) : 0
        // data_alignment_indicator: each packet starts with an access unit.
        var bytes: [UInt8] = [0, 0, 1, streamID, UInt8(stated >> 8), UInt8(truncatingIfNeeded: stated), 0x84]
        bytes += [hasDecodeTimestamp ? 0xC0 : 0x80, UInt8(dataLength)]
        bytes += Self.bytes(of: presentationTimestamp, marker: hasDecodeTimestamp ? 3 : 2)
        if hasDecodeTimestamp { bytes += Self.bytes(of: decodeTimestamp, marker: 1) }
        return bytes
    }

    private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let value = bytes.reduce(0) { $0 << 8 | Int64($1) }
        return (value >> 33 & 7) << 30 | (value >> 17 & 0x7FFF) << 15 | (value >> 1 & 0x7FFF)
    }

    private static func bytes(of timestamp: Int64, marker: Int64) -> [UInt8] {
        let high = marker << 4 | (timestamp >> 30 & 7) << 1 | 1
        let middle = (timestamp >> 15 & 0x7FFF) << 1 | 1
        let low = (timestamp & 0x7FFF) << 1 | 1
        return [high, middle >> 8, middle, low >> 8, low].map { UInt8(truncatingIfNeeded: $0) }
    }
}
