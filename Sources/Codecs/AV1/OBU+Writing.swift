import NIOCore

extension ByteBuffer {
    /// Writes an OBU with a size field.
    ///
    /// - Returns: Bytes of its header and size field.
    @discardableResult
    mutating func writeOBU(_ obu: borrowing OBU) -> Int {
        let start = writerIndex
        writeInteger(obu.header)
        if let headerExtension = obu.headerExtension { writeInteger(headerExtension) }
        var size = obu.payload.byteCount
        // leb128(): seven bits a byte, lowest first.
        while size > 0x7F {
            writeInteger(UInt8(size & 0x7F) | 0x80)
            size >>= 7
        }
        writeInteger(UInt8(size))
        let headerBytes = writerIndex - start
        writeBytes(obu.payload)
        return headerBytes
    }
}
