/// `hvcC`: the fields that are needed to read its samples (ISO/IEC 14496-15 § 8.3.3.1.2).
struct HEVCDecoderConfigurationRecord {
    /// Bytes of the length ahead of each NAL unit: 1, 2 or 4.
    let lengthSize: Int
    /// Parameter sets and supplemental enhancement information, as they stand.
    let nalUnits: [[UInt8]]

    /// - Throws: ``CodecError`` if it is cut short or of another version.
    init(_ bytes: [UInt8]) throws(CodecError) {
        var reader = BitReader(bytes.span.bytes)
        guard try reader.read(8) == 1 else { throw .invalid("configurationVersion") }
        // general_profile_space to numTemporalLayers and temporalIdNested: the parameter sets tell all of it.
        try reader.skip(20 * 8 + 6)
        lengthSize = try 1 + Int(reader.read(2))
        guard lengthSize != 3 else { throw .invalid("lengthSizeMinusOne") }
        var nalUnits: [[UInt8]] = []
        for _ in 0..<(try reader.read(8)) {
            try reader.skip(8)  // array_completeness, NAL_unit_type
            for _ in 0..<(try reader.read(16)) {
                let length = Int(try reader.read(16))
                let start = reader.byteOffset
                try reader.skip(length * 8)
                nalUnits.append(Array(bytes[start..<start + length]))
            }
        }
        self.nalUnits = nalUnits
    }
}
