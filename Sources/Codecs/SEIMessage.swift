/// One message of a supplemental enhancement information NAL unit (ISO/IEC 14496-10 § 7.3.2.3.1 and Annex D,
/// ISO/IEC 23008-2 § 7.3.5), read where it lies.
package struct SEIMessage: ~Escapable {
    /// payloadType.
    package let type: Int
    /// Reads the payload, emulation prevention left out; nothing keeps it from reading on behind the payload.
    package var reader: BitReader

    private let end: Int

    /// Whether more was read than the payload has: what was read is not what was written.
    package var isOverrun: Bool { reader.bitPosition > end }

    /// Finds the first message of a type.
    ///
    /// - Parameters:
    ///   - type: payloadType.
    ///   - nalUnit: A supplemental enhancement information NAL unit, header included.
    ///   - headerSize: Bytes of its header: 1 in H.264, 2 in HEVC.
    /// - Returns: Nil where there is none.
    /// - Throws: ``CodecError/truncated`` where a message ahead of it reaches beyond the end.
    @_lifetime(copy nalUnit)
    package static func first(
        ofType type: Int,
        in nalUnit: RawSpan,
        headerSize: Int = 1
    ) throws(CodecError) -> SEIMessage? {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(headerSize * 8)
        // rbsp_trailing_bits() take the last byte.
        while reader.bitsLeft > 8 {
            let found = try readVariableLength(&reader)
            let size = try readVariableLength(&reader)
            if found == type { return SEIMessage(type: type, reader: reader, size: size) }
            try reader.skip(size * 8)
        }
        return nil
    }

    @_lifetime(copy reader)
    private init(type: Int, reader: BitReader, size: Int) {
        self.type = type
        self.reader = reader
        end = reader.bitPosition + size * 8
    }

    /// A number as a run of 255s and a last byte.
    private static func readVariableLength(_ reader: inout BitReader) throws(CodecError) -> Int {
        var value = 0
        while true {
            let byte = Int(try reader.read(8))
            value += byte
            if byte < 255 { return value }
        }
    }
}
