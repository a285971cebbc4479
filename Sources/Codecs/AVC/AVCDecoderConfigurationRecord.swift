/// `avcC`: the fields that are needed to read its samples (ISO/IEC 14496-15 § 5.3.3.1.2).
struct AVCDecoderConfigurationRecord {
    /// Bytes of the length ahead of each NAL unit: 1, 2 or 4.
    let lengthSize: Int
    /// Sequence parameter sets, then picture parameter sets.
    let parameterSets: [[UInt8]]

    /// - Throws: ``CodecError`` if it is cut short or of another version. What may follow the parameter sets is not
    ///   looked at: some writers leave it out.
    init(_ bytes: [UInt8]) throws(CodecError) {
        var reader = BitReader(bytes.span.bytes)
        guard try reader.read(8) == 1 else { throw .invalid("configurationVersion") }
        try reader.skip(30)  // profile, compatibility, level, reserved
        lengthSize = try 1 + Int(reader.read(2))
        guard lengthSize != 3 else { throw .invalid("lengthSizeMinusOne") }
        try reader.skip(3)
        var parameterSets: [[UInt8]] = []
        for countBits in [5, 8] {
            for _ in 0..<(try reader.read(countBits)) {
                let length = Int(try reader.read(16))
                let start = reader.byteOffset
                try reader.skip(length * 8)
                parameterSets.append(Array(bytes[start..<start + length]))
            }
        }
        self.parameterSets = parameterSets
    }
}
