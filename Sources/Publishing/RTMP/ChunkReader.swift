import NIOCore

/// Puts messages together of the chunks of a connection (RTMP 1.0 § 5.3).
struct ChunkReader {
    /// Bytes of a chunk's payload, as the peer has set it (§ 5.4.1).
    var chunkSize = 128
    var streams: [UInt32: ChunkStream] = [:]
    /// Bytes of the longest message that is let in, and of all messages that are open; the length in a header may be 16
    /// MiB.
    var mostBytes: Int
    /// Bytes that have come of the messages that are open.
    var held = 0

    /// Messages that are open at once, of all that there may be: encoders use a handful.
    static let mostStreams = 32

    struct ChunkStream {
        var header = Header()
        /// The bytes so far of the message that is open.
        var payload = ByteBuffer()
        var isOpen = false

        /// Bytes that have come of the message that is open; nil if none is.
        var gathered: Int? { isOpen ? payload.readableBytes : nil }
    }

    struct Header {
        /// The timestamp, or its difference from the one before.
        var timestampField: UInt32 = 0
        var isExtended = false
        var timestamp: UInt32 = 0
        var length = 0
        var kind: UInt8 = 0
        var streamID: UInt32 = 0
    }

    init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    /// Takes the next whole message, and all chunks before its end.
    ///
    /// - Parameter bytes: The bytes that have come; a part of a chunk stays there.
    /// - Returns: Nil until more has come.
    /// - Throws: An error if the chunks break the rules.
    mutating func read(_ bytes: inout ByteBuffer) throws(RTMPError) -> RTMPMessage? {
        while true {
            var rest = bytes
            guard let chunk = try readChunk(&rest) else { return nil }
            bytes = rest
            guard let message = chunk.message else { continue }
            switch message.kind {
            case .setChunkSize:
                var payload = message.payload
                // The first bit is 0; a size above the longest message is as good as that (§ 5.4.1).
                guard let size = payload.readInteger(as: UInt32.self), size >= 1, size < 1 << 31 else {
                    throw .malformed("an invalid chunk size")
                }
                chunkSize = min(Int(size), 0xFF_FFFF)
            case .abort:
                var payload = message.payload
                if let id = payload.readInteger(as: UInt32.self) { close(id) }
            default:
                return message
            }
        }
    }

    private struct Chunk { var message: RTMPMessage? }

    /// - Returns: Nil if it is not all there.
    private mutating func readChunk(_ bytes: inout ByteBuffer) throws(RTMPError) -> Chunk? {
        guard let first = bytes.readInteger(as: UInt8.self), let id = Self.readStreamID(first & 0x3F, &bytes) else {
            return nil
        }
        let format = first >> 6
        guard let before = streams[id]?.header ?? (format == 0 ? Header() : nil) else {
            throw .malformed("a chunk that refers to an earlier one, but there is none")
        }
        guard streams[id] != nil || streams.count < Self.mostStreams else { throw .excessive("chunk streams") }
        // A header in the middle of a message begins another one, and the first is dropped.
        let gathered = format == 3 ? streams[id]?.gathered : nil
        guard let header = Self.readHeader(format, after: before, isFirst: gathered == nil, &bytes) else { return nil }
        guard header.length <= mostBytes else { throw .excessive("bytes in a message") }
        let size = min(header.length - (gathered ?? 0), chunkSize)
        let others = held - (gathered == nil ? streams[id]?.gathered ?? 0 : 0)
        guard others + size <= mostBytes else { throw .excessive("bytes in messages that are not whole") }
        guard var part = bytes.readSlice(length: size) else { return nil }

        if gathered == nil { close(id) }
        held += size
        // It is changed in place: a copy would cost all received bytes for each chunk.
        streams[id, default: ChunkStream()].header = header
        streams[id, default: ChunkStream()].payload.writeBuffer(&part)
        streams[id, default: ChunkStream()].isOpen = true
        guard streams[id]?.payload.readableBytes == header.length else { return Chunk() }
        let message = RTMPMessage(
            RTMPMessage.Kind(rawValue: header.kind),
            timestamp: header.timestamp,
            streamID: header.streamID,
            payload: streams[id]?.payload ?? ByteBuffer()
        )
        close(id)
        return Chunk(message: message)
    }

    /// Forgets the received part of an open message.
    private mutating func close(_ id: UInt32) {
        held -= streams[id]?.gathered ?? 0
        streams[id]?.payload = ByteBuffer()
        streams[id]?.isOpen = false
    }

    /// Reads the rest of a basic header (§ 5.3.1.1).
    private static func readStreamID(_ field: UInt8, _ bytes: inout ByteBuffer) -> UInt32? {
        switch field {
        case 0: bytes.readInteger(as: UInt8.self).map { UInt32($0) + 64 }
        case 1: bytes.readInteger(endianness: .little, as: UInt16.self).map { UInt32($0) + 64 }
        default: UInt32(field)
        }
    }

    /// Reads a message header, and the extended timestamp behind it (§ 5.3.1.2, § 5.3.1.3).
    ///
    /// - Returns: Nil if it is not all there.
    private static func readHeader(
        _ format: UInt8,
        after before: Header,
        isFirst: Bool,
        _ bytes: inout ByteBuffer
    ) -> Header? {
        var header = before
        if format < 3 {
            guard let field = bytes.readUInt24() else { return nil }
            header.isExtended = field == 0xFF_FFFF
            header.timestampField = field
        }
        if format < 2 {
            guard let length = bytes.readUInt24(), let kind = bytes.readInteger(as: UInt8.self) else { return nil }
            (header.length, header.kind) = (Int(length), kind)
        }
        if format == 0 {
            guard let id = bytes.readInteger(endianness: .little, as: UInt32.self) else { return nil }
            header.streamID = id
        }
        if header.isExtended {
            // Each chunk of a message repeats it.
            guard let field = bytes.readInteger(as: UInt32.self) else { return nil }
            header.timestampField = field
        }
        if isFirst {
            header.timestamp = format == 0 ? header.timestampField : header.timestamp &+ header.timestampField
        }
        return header
    }
}

extension ByteBuffer {
    /// Three bytes, the highest first.
    mutating func readUInt24() -> UInt32? {
        guard let bytes = readBytes(length: 3) else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The lower 24 bits, the highest byte first.
    mutating func writeUInt24(_ value: UInt32) {
        writeInteger(UInt8(truncatingIfNeeded: value >> 16))
        writeInteger(UInt16(truncatingIfNeeded: value))
    }
}
