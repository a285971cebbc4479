import MPEGTS

/// A packet of a transport stream, read (ISO/IEC 13818-1 § 2.4.3.2).
struct ReceivedPacket: Hashable, Sendable {
    var pid: UInt16
    var isUnitStart = false
    var isScrambled = false
    var continuityCounter: UInt8
    /// Flags of the adaptation field.
    var isDiscontinuous = false
    var isRandomAccess = false
    /// Program clock reference in 90 kHz ticks; its 27 MHz extension is left out.
    var clockReference: Int64?
    /// The payload; nil in a packet without one, which continuity counters do not count.
    var payload: ArraySlice<UInt8>?

    /// Reads the packet that `bytes` starts with; nil if there is none or it is malformed.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = bytes.prefix(TransportPacket.byteCount)
        let start = bytes.startIndex
        guard bytes.count == TransportPacket.byteCount, bytes[start] == 0x47 else { return nil }
        // transport_error_indicator: the payload is damaged.
        guard bytes[start + 1] & 0x80 == 0 else { return nil }
        pid = UInt16(bytes[start + 1] & 0x1F) << 8 | UInt16(bytes[start + 2])
        isUnitStart = bytes[start + 1] & 0x40 != 0
        isScrambled = bytes[start + 3] & 0xC0 != 0
        continuityCounter = bytes[start + 3] & 0x0F

        var position = start + 4
        if bytes[start + 3] & 0x20 != 0 {
            let length = Int(bytes[position])
            guard position + 1 + length <= bytes.endIndex else { return nil }
            readAdaptationField(bytes[(position + 1)..<(position + 1 + length)])
            position += 1 + length
        }
        if bytes[start + 3] & 0x10 != 0 { payload = bytes[position...] }
    }

    /// Reads the field without the length in front (ISO/IEC 13818-1 § 2.4.3.4).
    private mutating func readAdaptationField(_ field: ArraySlice<UInt8>) {
        guard let flags = field.first else { return }
        isDiscontinuous = flags & 0x80 != 0
        isRandomAccess = flags & 0x40 != 0
        if flags & 0x10 != 0, field.count >= 7 {
            let base = field.dropFirst().prefix(5).reduce(0) { $0 << 8 | Int64($1) }
            clockReference = base >> 7
        }
    }
}
