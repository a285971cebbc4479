import NIOCore

/// A packet of a transport stream that may come from anywhere (ISO/IEC 13818-1 § 2.4.3.2).
struct ParsedTransportPacket {
    static let byteCount = 188
    static let nullPID: UInt16 = 0x1FFF

    let pid: UInt16
    let isUnitStart: Bool
    let hasError: Bool
    let isScrambled: Bool
    let continuityCounter: UInt8
    /// Flags of the adaptation field.
    private(set) var isDiscontinuous = false
    private(set) var isRandomAccess = false
    /// Base of the program clock reference, in ticks of 90 kHz.
    private(set) var clock: Int64?
    /// The range of the payload; nil in a packet without one, which continuity counters do not count.
    private(set) var payload: Range<Int>?

    /// Reads the packet at an offset.
    ///
    /// - Throws: The rule that it breaks if it is not a packet.
    init(_ bytes: ByteBuffer, at offset: Int) throws(Malformed) {
        guard let header = bytes.getInteger(at: offset, as: UInt32.self), offset + Self.byteCount <= bytes.writerIndex
        else { throw Malformed(rule: .truncatedPacket) }
        guard header >> 24 == 0x47 else { throw Malformed(rule: .wrongSyncByte) }
        hasError = header & 0x80_0000 != 0
        isUnitStart = header & 0x40_0000 != 0
        pid = UInt16(header >> 8 & 0x1FFF)
        isScrambled = header & 0xC0 != 0
        continuityCounter = UInt8(header & 0x0F)
        let end = offset + Self.byteCount
        var start = offset + 4
        if header & 0x20 != 0 {
            let length = Int(bytes.getInteger(at: start, as: UInt8.self) ?? 0)
            start += 1
            guard start + length <= end else { throw Malformed(rule: .malformedAdaptationField) }
            if length > 0, let flags = bytes.getInteger(at: start, as: UInt8.self) {
                isDiscontinuous = flags & 0x80 != 0
                isRandomAccess = flags & 0x40 != 0
                if flags & 0x10 != 0 {
                    guard length >= 7, let high = bytes.getInteger(at: start + 1, as: UInt32.self),
                        let low = bytes.getInteger(at: start + 5, as: UInt8.self)
                    else { throw Malformed(rule: .malformedAdaptationField) }
                    clock = Int64(high) << 1 | Int64(low >> 7)
                }
            }
            start += length
        }
        if header & 0x10 != 0 { payload = start..<end }
    }

    struct Malformed: Error {
        var rule: TransportStreamViolation.Rule
    }
}
