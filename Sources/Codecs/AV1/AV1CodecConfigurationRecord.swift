/// `av1C`: the fields that are needed to read its samples (AV1 Codec ISO Media File Format Binding § 2.3.3).
enum AV1CodecConfigurationRecord {
    private static let headerSize = 4

    /// The OBUs of a codec header.
    ///
    /// - Parameter header: The record, or OBUs alone.
    /// - Returns: The bytes to be read as OBUs.
    /// - Throws: ``CodecError`` if it is cut short or of another version.
    @_lifetime(copy header)
    static func configurationOBUs(of header: RawSpan) throws(CodecError) -> RawSpan {
        // § 2.3.4: the marker bit keeps it from being taken for an OBU header.
        guard !header.isEmpty, case let first = header.unsafeLoad(as: UInt8.self), first & 0x80 != 0 else {
            return header
        }
        guard first & 0x7F == 1 else { throw .unsupported("av1C version") }
        guard header.byteCount >= headerSize else { throw .truncated }
        return header.extracting(droppingFirst: headerSize)
    }
}
