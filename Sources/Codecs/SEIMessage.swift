/// One message of a supplemental enhancement information NAL unit (ISO/IEC 14496-10 § 7.3.2.3.1 and Annex D, ISO/IEC
/// 23008-2 § 7.3.5), read in place.
struct SEIMessage: ~Escapable {
    /// payloadType.
    let type: Int
    /// Bytes of the payload, emulation prevention left out.
    let size: Int
    /// Reads the payload, emulation prevention left out; nothing keeps it from reading on behind the payload.
    var reader: BitReader

    private let end: Int

    /// True if more bits were read than the payload has: the values are wrong.
    var isOverrun: Bool { reader.bitPosition > end }

    @_lifetime(copy reader)
    fileprivate init(type: Int, reader: BitReader, size: Int) {
        self.type = type
        self.size = size
        self.reader = reader
        end = reader.bitPosition + size * 8
    }

    /// User data that something else than a NAL unit has: all that is ahead of the reader.
    @_lifetime(copy reader)
    init(userData reader: BitReader) {
        self.init(type: UserData.payloadType, reader: reader, size: reader.bitsLeft / 8)
    }

    /// Finds the first message of a type.
    ///
    /// - Parameters:
    ///   - type: payloadType.
    ///   - nalUnit: A supplemental enhancement information NAL unit, header included.
    ///   - headerSize: Bytes of its header: 1 in H.264, 2 in HEVC.
    /// - Returns: Nil if there is none.
    /// - Throws: ``CodecError/truncated`` if a message ahead of it reaches beyond the end.
    @_lifetime(copy nalUnit)
    static func first(
        ofType type: Int,
        in nalUnit: RawSpan,
        headerSize: Int = 1
    ) throws(CodecError) -> SEIMessage? {
        var messages = SEIMessages(nalUnit, headerSize: headerSize)
        while let message = try messages.next() {
            if message.type == type { return message }
        }
        return nil
    }
}

/// The messages of a supplemental enhancement information NAL unit, one after another, without a copy.
struct SEIMessages: ~Escapable {
    private var reader: BitReader
    /// Bits to the next message.
    private var distance: Int

    /// - Parameters:
    ///   - nalUnit: A supplemental enhancement information NAL unit, header included.
    ///   - headerSize: Bytes of its header: 1 in H.264, 2 in HEVC.
    @_lifetime(copy nalUnit)
    init(_ nalUnit: RawSpan, headerSize: Int) {
        reader = BitReader(nalUnit, hasEmulationPrevention: true)
        distance = headerSize * 8
    }

    /// The next message; nil behind the last one.
    ///
    /// - Throws: ``CodecError/truncated`` if the one before it reaches beyond the end.
    @_lifetime(copy self)
    mutating func next() throws(CodecError) -> SEIMessage? {
        try reader.skip(distance)
        distance = 0
        // rbsp_trailing_bits() take the last byte.
        guard reader.bitsLeft > 8 else { return nil }
        let type = try Self.readVariableLength(&reader)
        let size = try Self.readVariableLength(&reader)
        distance = size * 8
        return SEIMessage(type: type, reader: reader, size: size)
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
