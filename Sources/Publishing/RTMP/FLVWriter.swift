package import NIOCore

/// Makes FLV of the messages of a publisher: their payloads are those of its tags (RTMP 1.0 § 7.1).
package struct FLVWriter: Hashable, Sendable {
    private var hasHeader = false

    package init() {}

    /// Writes the tag of a message, and before the first the file's header.
    ///
    /// - Parameters:
    ///   - message: Audio, video or data; others have no tag.
    ///   - bytes: Written to.
    package mutating func write(_ message: RTMPMessage, to bytes: inout ByteBuffer) {
        switch message.kind {
        case .audio, .video, .data: break
        default: return
        }
        var payload = message.payload
        if message.kind == .data { payload.skipSetDataFrame() }
        if payload.readableBytes == 0 { return }
        if !hasHeader {
            hasHeader = true
            writeHeader(for: message, payload, to: &bytes)
        }
        let size = UInt32(payload.readableBytes)
        bytes.writeInteger(message.kind.rawValue)
        bytes.writeUInt24(size)
        bytes.writeUInt24(message.timestamp & 0xFF_FFFF)
        bytes.writeInteger(UInt8(truncatingIfNeeded: message.timestamp >> 24))
        bytes.writeUInt24(0)
        bytes.writeImmutableBuffer(payload)
        bytes.writeInteger(size + 11)
    }

    /// Writes the header with the kinds of media of the metadata, or else of the first tag; a kind that comes later is
    /// found, too.
    private func writeHeader(for message: RTMPMessage, _ payload: ByteBuffer, to bytes: inout ByteBuffer) {
        var flags: UInt8 = message.kind == .audio ? 4 : message.kind == .video ? 1 : 0
        if message.kind == .data {
            var payload = payload
            let metadata = payload.readAMF0Values().last?.properties ?? [:]
            if metadata["audiocodecid"] != nil { flags |= 4 }
            if metadata["videocodecid"] != nil { flags |= 1 }
        }
        bytes.writeString("FLV")
        bytes.writeInteger(1 as UInt8)
        bytes.writeInteger(flags)
        bytes.writeInteger(9 as UInt32)
        bytes.writeInteger(0 as UInt32)
    }
}

extension ByteBuffer {
    /// Skips an instruction to servers to keep the rest for later players.
    mutating func skipSetDataFrame() {
        var rest = self
        guard rest.readInteger(as: UInt8.self) == 2, let length = rest.readInteger(as: UInt16.self),
            rest.readString(length: Int(length)) == "@setDataFrame"
        else { return }
        self = rest
    }
}
