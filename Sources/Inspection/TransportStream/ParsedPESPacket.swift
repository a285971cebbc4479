package import NIOCore

/// A PES packet, put together (ISO/IEC 13818-1 § 2.4.3.6).
package struct ParsedPESPacket: Hashable, Sendable {
    let streamID: UInt8
    /// True if an access unit starts with the payload.
    let isAligned: Bool
    /// The presentation time of the first access unit in it, in ticks of 90 kHz, 33 bits.
    package let presentationTime: Int64?
    /// The same where the packet has no other for decoding.
    package let decodeTime: Int64?
    /// PES_packet_length; 0 if it is not stated.
    let statedLength: Int
    let headerByteCount: Int
    package internal(set) var payload: ByteBuffer
    /// True if the transport packet that it starts in says that decoding may start there.
    package internal(set) var isRandomAccess = false
    /// The bytes from the start of its first transport packet to the end of its last.
    var range = 0..<0

    /// Reads all that the transport packets carry, from one unit start to the next.
    ///
    /// - Throws: The rule that it breaks.
    init(_ bytes: ByteBuffer) throws(ParsedTransportPacket.Malformed) {
        let bytes = bytes.slice()
        guard let start = bytes.getInteger(at: 0, as: UInt32.self), start >> 8 == 1,
            let length = bytes.getInteger(at: 4, as: UInt16.self),
            let flags = bytes.getInteger(at: 6, as: UInt16.self), flags >> 14 == 0b10,
            let headerLength = bytes.getInteger(at: 8, as: UInt8.self)
        else { throw .init(rule: .malformedUnit) }
        let timestampFlags = flags >> 6 & 3
        let timestampsByteCount = timestampFlags == 3 ? 10 : timestampFlags == 2 ? 5 : 0
        headerByteCount = 9 + Int(headerLength)
        guard timestampFlags != 1, Int(headerLength) >= timestampsByteCount,
            let payload = bytes.getSlice(
                at: headerByteCount,
                length: max(0, bytes.readableBytes - headerByteCount)
            )
        else { throw .init(rule: .malformedUnit) }
        if length != 0, Int(length) + 6 != bytes.readableBytes { throw .init(rule: .wrongUnitLength) }

        streamID = UInt8(start & 0xFF)
        statedLength = Int(length)
        isAligned = flags & 0x0400 != 0
        self.payload = payload
        let presentationTime = timestampFlags == 0 ? nil : try Self.timestamp(bytes, at: 9)
        self.presentationTime = presentationTime
        decodeTime = timestampFlags == 3 ? try Self.timestamp(bytes, at: 14) : presentationTime
    }

    /// Takes along a packet that continues with the same access unit.
    mutating func append(_ continuation: Self) {
        payload.writeImmutableBuffer(continuation.payload)
        range = range.lowerBound..<continuation.range.upperBound
    }

    private static func timestamp(
        _ bytes: ByteBuffer,
        at index: Int
    ) throws(ParsedTransportPacket.Malformed) -> Int64 {
        guard let high = bytes.getInteger(at: index, as: UInt8.self),
            let middle = bytes.getInteger(at: index + 1, as: UInt16.self),
            let low = bytes.getInteger(at: index + 3, as: UInt16.self),
            UInt16(high) & middle & low & 1 == 1
        else { throw .init(rule: .malformedUnit) }
        return Int64(high >> 1 & 7) << 30 | Int64(middle >> 1) << 15 | Int64(low >> 1)
    }
}
