/// The control header ahead of an Opus packet in a transport stream (ETSI TS 103 491 § 4.3, "opus_control_header").
struct OpusControlHeader {
    /// Bytes of the header.
    var length: Int
    /// Bytes of the packet behind it.
    var packetLength: Int

    /// The most bytes of a packet, more than libopus can make of 255 streams.
    private static let longestPacket = 1 << 16

    /// Returns true if bytes begin with one; no packet does, as it would be of 32 frames and more.
    static func begins(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 2 && bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == 0x7F
            && bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self) >> 5 == 7
    }

    init(_ bytes: RawSpan) throws(CodecError) {
        var reader = BitReader(bytes)
        guard try reader.read(11) == 0x3FF else { throw .invalid("Opus control header") }
        let hasStartTrim = try reader.readFlag()
        let hasEndTrim = try reader.readFlag()
        let hasExtension = try reader.readFlag()
        try reader.skip(2)
        packetLength = 0
        var byte: UInt32
        repeat {
            byte = try reader.read(8)
            packetLength += Int(byte)
            guard packetLength <= Self.longestPacket else { throw .invalid("au_size") }
        } while byte == 255
        if hasStartTrim { try reader.skip(16) }
        if hasEndTrim { try reader.skip(16) }
        if hasExtension { try reader.skip(Int(try reader.read(8)) * 8) }
        length = reader.byteOffset
        guard packetLength > 0 else { throw .invalid("au_size") }
    }
}
