import NIOCore

/// The state of a connection's chunks, for another reader that continues with it.
extension ChunkReader {
    private static let isExtendedBit: UInt8 = 1
    private static let isOpenBit: UInt8 = 2
    /// Numbers that a basic header can name (RTMP 1.0 § 5.3.1.1).
    private static let streamIDs: ClosedRange<UInt32> = 2...65_599

    /// Writes the state between two reads.
    func writeState(to bytes: inout ByteBuffer) {
        bytes.writeInteger(UInt32(chunkSize))
        bytes.writeInteger(UInt8(streams.count))
        for (id, stream) in streams.sorted(by: { $0.key < $1.key }) {
            bytes.writeInteger(id)
            bytes.writeInteger(
                (stream.header.isExtended ? Self.isExtendedBit : 0) | (stream.isOpen ? Self.isOpenBit : 0)
            )
            bytes.writeInteger(stream.header.timestampField)
            bytes.writeInteger(stream.header.timestamp)
            bytes.writeInteger(UInt32(stream.header.length))
            bytes.writeInteger(stream.header.kind)
            bytes.writeInteger(stream.header.streamID)
            bytes.writeInteger(UInt32(stream.payload.readableBytes))
            bytes.writeImmutableBuffer(stream.payload)
        }
    }

    /// Reads a state.
    ///
    /// - Parameters:
    ///   - bytes: The state; bytes behind it stay there.
    ///   - mostBytes: Bytes of the longest message, and of all that are open.
    /// - Throws: ``RTMPError/malformed(_:)`` if no reader can be in that state.
    init(readingState bytes: inout ByteBuffer, mostBytes: Int) throws(RTMPError) {
        self.init(mostBytes: mostBytes)
        guard let size = bytes.readInteger(as: UInt32.self), (1...0xFF_FFFF).contains(size) else {
            throw .malformed("a state without a chunk size")
        }
        chunkSize = Int(size)
        guard let count = bytes.readInteger(as: UInt8.self), count <= Self.mostStreams else {
            throw .malformed("a state with too many chunk streams")
        }
        for _ in 0..<count {
            guard let id = bytes.readInteger(as: UInt32.self), Self.streamIDs.contains(id), streams[id] == nil,
                let stream = Self.readStream(&bytes), stream.header.length <= mostBytes
            else { throw .malformed("a state of a chunk stream that is none") }
            streams[id] = stream
            held += stream.payload.readableBytes
            guard held <= mostBytes else { throw .malformed("a state with too much in messages that are not whole") }
        }
    }

    /// - Returns: Nil if it is not all there, or cannot be.
    private static func readStream(_ bytes: inout ByteBuffer) -> ChunkStream? {
        guard let flags = bytes.readInteger(as: UInt8.self), flags & ~(isExtendedBit | isOpenBit) == 0,
            let timestampField = bytes.readInteger(as: UInt32.self),
            let timestamp = bytes.readInteger(as: UInt32.self),
            let length = bytes.readInteger(as: UInt32.self),
            let kind = bytes.readInteger(as: UInt8.self),
            let streamID = bytes.readInteger(as: UInt32.self),
            let count = bytes.readInteger(as: UInt32.self),
            // A complete message is no longer open.
            flags & isOpenBit == 0 ? count == 0 : count > 0 && count < length,
            let payload = bytes.readSlice(length: Int(count))
        else { return nil }
        let header = Header(
            timestampField: timestampField,
            isExtended: flags & isExtendedBit != 0,
            timestamp: timestamp,
            length: Int(length),
            kind: kind,
            streamID: streamID
        )
        // A slice would keep all that it was read from.
        let copy = ByteBuffer(bytes: payload.readableBytesView)
        return ChunkStream(header: header, payload: copy, isOpen: flags & isOpenBit != 0)
    }
}
