/// The open bitstream units of a temporal unit, one after another, without a copy.
///
/// They are in the low overhead bitstream format (AV1 § 5.2); the last one may lack its size field (AV1 Codec ISO Media
/// File Format Binding § 2.4).
struct OBUs: ~Escapable {
    private let bytes: RawSpan
    /// The position of the next one.
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    /// The next one; nil behind the last one.
    ///
    /// - Throws: ``CodecError`` if its header is cut short or forbidden, or its size reaches beyond the end.
    @_lifetime(copy self)
    mutating func next() throws(CodecError) -> OBU? {
        guard position < bytes.byteCount else { return nil }
        var reader = BitReader(bytes.extracting(droppingFirst: position))
        let first = UInt8(try reader.read(8))
        // § 6.2.2: obu_forbidden_bit must be 0.
        guard first & 0x80 == 0 else { throw .invalid("OBU header") }
        let (hasExtension, hasSize) = (first & 4 != 0, first & 2 != 0)
        let headerExtension = hasExtension ? UInt8(try reader.read(8)) : nil
        let size = hasSize ? try reader.readLEB128() : nil
        let start = position + reader.byteOffset
        let count = bytes.byteCount - start
        guard size ?? count <= count else { throw .truncated }
        position = start + (size ?? count)
        return OBU(
            header: first | 2,
            headerExtension: headerExtension,
            payload: bytes.extracting(start..<position)
        )
    }
}
