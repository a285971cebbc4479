package import NIOCore

/// Handing a connection over while its stream is published.
extension PublishSession {
    /// True while another process could continue with the connection: its stream was let in, and has not ended.
    package var isPublishing: Bool { phase == .publishing }

    /// Bytes of a chunk that has not come as a whole: the longest payload, and the longest header.
    private static let mostUnread = mostBytes + 18

    /// Writes the state of the conversation, for ``init(readingState:)``.
    ///
    /// It is complete between two reads.
    ///
    /// Answers leave no state behind: each has a whole header, in chunks of the default size.
    package func writeState(to bytes: inout ByteBuffer) {
        bytes.writeInteger(stream)
        bytes.writeInteger(received)
        bytes.writeInteger(acknowledged)
        bytes.writeInteger(window)
        chunks.writeState(to: &bytes)
        bytes.writeInteger(UInt32(unread.readableBytes))
        bytes.writeImmutableBuffer(unread)
    }

    /// Reads the state of a session that is being published.
    ///
    /// - Parameter bytes: The state; bytes behind it stay there.
    /// - Throws: ``RTMPError/malformed(_:)`` if no session can be in that state.
    package init(readingState bytes: inout ByteBuffer) throws(RTMPError) {
        self.init()
        guard let stream = bytes.readInteger(as: UInt32.self), let received = bytes.readInteger(as: UInt32.self),
            let acknowledged = bytes.readInteger(as: UInt32.self), let window = bytes.readInteger(as: UInt32.self),
            window > 0
        else { throw .malformed("a state without its counters") }
        (self.stream, self.received, self.acknowledged, self.window) = (stream, received, acknowledged, window)
        chunks = try ChunkReader(readingState: &bytes, mostBytes: Self.mostBytes)
        guard let count = bytes.readInteger(as: UInt32.self), count <= Self.mostUnread,
            let rest = bytes.readSlice(length: Int(count))
        else { throw .malformed("a state without the bytes that are not read") }
        unread = ByteBuffer(bytes: rest.readableBytesView)
        (phase, progress) = (.publishing, 3)
    }
}
