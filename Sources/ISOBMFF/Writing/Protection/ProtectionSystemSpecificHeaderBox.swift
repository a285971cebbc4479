package import MediaCore
package import NIOCore

/// Protection system specific header (pssh), in `MovieBox` (ISO/IEC 23001-7 § 8.1).
struct ProtectionSystemSpecificHeaderBox: FullBox {
    static let type: FourCC = "pssh"

    var header: ProtectionSystemHeader

    // Version 1 has the key IDs.
    var version: UInt8 { header.keyIDs.isEmpty ? 0 : 1 }
    var fieldsByteCount: Int {
        16 + (header.keyIDs.isEmpty ? 0 : 4 + 16 * header.keyIDs.count) + 4 + header.data.count
    }

    func encodeFields(into span: inout OutputRawSpan) {
        span.write(header.systemID)
        if !header.keyIDs.isEmpty { span.writeInteger(UInt32(header.keyIDs.count)) }
        for keyID in header.keyIDs { span.write(keyID.bytes) }
        span.writeInteger(UInt32(header.data.count))
        span.write(header.data)
    }
}

extension ProtectionSystemHeader {
    /// The box that it is in, as some key systems want it in playlists.
    package func encode() -> ByteBuffer {
        let box = ProtectionSystemSpecificHeaderBox(header: self)
        return ByteBuffer(initialCapacity: box.byteCount) { box.encode(into: &$0) }
    }
}
