/// The header of a FLAC frame (RFC 9639 § 9.1).
struct FLACFrameHeader {
    /// PCM samples.
    var blockSize: Int

    /// - Throws: ``CodecError`` if it is cut short, has a reserved value, or its checksum is wrong.
    init(_ bytes: RawSpan) throws(CodecError) {
        var reader = BitReader(bytes)
        guard try reader.read(15) == 0x7FFC else { throw .invalid("FLAC sync code") }
        try reader.skip(1)  // blocking strategy
        let blockSizeBits = try reader.read(4)
        let sampleRateBits = try reader.read(4)
        guard try reader.read(4) < 11 else { throw .invalid("FLAC channels") }
        try reader.skip(4)  // bits per sample, reserved
        // § 9.1.5: a number coded like a character of UTF-8, of up to seven bytes.
        let first = UInt8(try reader.read(8))
        let following = max(0, (~first).leadingZeroBitCount - 1)
        guard (~first).leadingZeroBitCount != 1, first != 0xFF else { throw .invalid("FLAC coded number") }
        try reader.skip(following * 8)
        // § 9.1.1
        switch blockSizeBits {
        case 0: throw .invalid("FLAC block size")
        case 1: blockSize = 192
        case 2...5: blockSize = 144 << Int(blockSizeBits)
        case 6: blockSize = Int(try reader.read(8)) + 1
        case 7: blockSize = Int(try reader.read(16)) + 1
        default: blockSize = 1 << Int(blockSizeBits)
        }
        // § 9.1.2
        switch sampleRateBits {
        case 12: try reader.skip(8)
        case 13, 14: try reader.skip(16)
        case 15: throw .invalid("FLAC sample rate")
        default: break
        }
        let header = bytes.extracting(first: reader.byteOffset)
        guard try reader.read(8) == CyclicRedundancyCheck.ofFLACHeader.checksum(header) else {
            throw .invalid("FLAC header checksum")
        }
    }
}
