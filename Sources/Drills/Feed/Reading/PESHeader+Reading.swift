import MPEGTS

extension PESHeader {
    /// Reads the header and finds the payload; nil if it is malformed, cut off or has no timestamp.
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
        return (PESHeader(streamID: packet[3], times: Times(presentation: presentation, decode: decode)), start..<end)
    }

    /// Returns true if a unit is a PES packet rather than a section: packet_start_code_prefix.
    static func isPES(_ unit: [UInt8]) -> Bool { unit.starts(with: [0, 0, 1]) }

    private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let value = bytes.reduce(0) { $0 << 8 | Int64($1) }
        return (value >> 33 & 7) << 30 | (value >> 17 & 0x7FFF) << 15 | (value >> 1 & 0x7FFF)
    }
}
