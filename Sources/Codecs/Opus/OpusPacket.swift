/// The start of an Opus packet (RFC 6716 § 3).
enum OpusPacket {
    /// PCM samples at 48 kHz.
    ///
    /// - Throws: ``CodecError`` if it has no frame, or more than a packet may have.
    static func samples(_ bytes: RawSpan) throws(CodecError) -> Int {
        var reader = BitReader(bytes)
        let configuration = Int(try reader.read(5))
        try reader.skip(1)  // stereo
        let frames: Int
        switch try reader.read(2) {
        case 0: frames = 1
        case 3:
            try reader.skip(2)  // variable bit rate, padding
            frames = Int(try reader.read(6))
        default: frames = 2
        }
        // § 3.1, Table 2: SILK, both, CELT.
        let frame =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration % 4]
            case 12..<16: [480, 960][configuration % 2]
            default: [120, 240, 480, 960][configuration % 4]
            }
        // § 3.2.5: 120 ms at most.
        guard frames > 0, frames * frame <= 5760 else { throw .invalid("Opus frame count") }
        return frames * frame
    }
}
