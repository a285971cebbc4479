import NIOCore

extension ByteBuffer {
    /// Writes a message in chunks (RTMP 1.0 § 5.3), each with a header that refers to no other.
    ///
    /// - Parameters:
    ///   - message: The message. Its timestamp is below 2^24 - 1, as in all answers to a publisher.
    ///   - chunkStream: 2 to 63; 2 for messages about the connection itself.
    ///   - size: The size of a chunk's payload.
    mutating func writeChunks(of message: RTMPMessage, chunkStream: UInt8, size: Int = 128) {
        writeInteger(chunkStream)
        writeUInt24(min(message.timestamp, 0xFF_FFFE))
        writeUInt24(UInt32(message.payload.readableBytes))
        writeInteger(message.kind.rawValue)
        writeInteger(message.streamID, endianness: .little)
        var rest = message.payload
        while let part = rest.readSlice(length: min(size, rest.readableBytes)) {
            writeImmutableBuffer(part)
            if rest.readableBytes == 0 { break }
            writeInteger(0xC0 | chunkStream)
        }
    }
}
