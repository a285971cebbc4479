/// The recovery point SEI message (ISO/IEC 14496-10 Annex D).
enum RecoveryPoint {
    private static let payloadType = 6

    /// Whether a NAL unit of type 6 says that pictures are right from here on: recovery_frame_cnt 0.
    static func isImmediate(in nalUnit: RawSpan) -> Bool {
        (try? recoveryFrameCount(in: nalUnit)) == 0
    }

    /// The recovery_frame_cnt of the first such message, or nil where there is none.
    private static func recoveryFrameCount(in nalUnit: RawSpan) throws(CodecError) -> UInt32? {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8)
        // rbsp_trailing_bits() take the last byte.
        while reader.bitsLeft > 8 {
            let type = try readVariableLength(&reader)
            let size = try readVariableLength(&reader)
            if type == payloadType { return try reader.readUnsignedGolomb() }
            try reader.skip(size * 8)
        }
        return nil
    }

    /// § 7.3.2.3.1: a number as a run of 255s and a last byte.
    private static func readVariableLength(_ reader: inout BitReader) throws(CodecError) -> Int {
        var value = 0
        while true {
            let byte = Int(try reader.read(8))
            value += byte
            if byte < 255 { return value }
        }
    }
}
