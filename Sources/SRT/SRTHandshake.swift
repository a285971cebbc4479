package import NIOCore

/// A handshake packet (draft-sharabayko-srt-01 § 3.2.1).
package struct SRTHandshake: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case induction
        case conclusion
        /// With a number from 1000 on that says why (§ 3.2.1, table 7).
        case rejection(UInt32)
        case other
    }

    package var kind: Kind
    /// What the caller says that it wants (§ 3.2.1.3); nil where it says nothing.
    package var streamID: String?
    /// Without extensions.
    private let bytes: ByteBuffer

    /// Header and handshake without extensions.
    private static let size = 64
    private static let (destination, extensionField, type, socketID) = (12, 22, 36, 40)
    /// Extension types (table 5).
    private static let streamIDExtension: UInt16 = 5
    /// Bytes of a stream identifier (§ 3.2.1.3).
    private static let longestStreamID = 512

    /// - Parameter packet: A control packet of type 0.
    init?(_ packet: ByteBuffer) {
        var rest = packet
        guard let bytes = rest.readSlice(length: Self.size),
            let type = bytes.getInteger(at: bytes.readerIndex + Self.type, as: UInt32.self)
        else { return nil }
        self.bytes = bytes
        switch type {
        case 1: kind = .induction
        case 0xFFFF_FFFF: kind = .conclusion
        case 1000..<0x8000_0000: kind = .rejection(type)
        default: kind = .other
        }
        guard kind == .conclusion else { return }
        while let type = rest.readInteger(as: UInt16.self), let words = rest.readInteger(as: UInt16.self),
            let content = rest.readBytes(length: Int(words) * 4)
        {
            guard type == Self.streamIDExtension, content.count <= Self.longestStreamID else { continue }
            streamID = Self.text(content)
        }
    }

    /// Each four bytes are in reverse (§ 3.2.1.3), and zeros fill the last.
    private static func text(_ content: [UInt8]) -> String {
        let bytes = stride(from: 0, to: content.count, by: 4).flatMap { content[$0..<$0 + 4].reversed() }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What tells a caller that it is refused.
    ///
    /// - Parameter code: From 1000 on.
    /// - Returns: The packet.
    package func rejection(_ code: UInt32) -> ByteBuffer {
        var answer = ByteBuffer()
        answer.writeImmutableBuffer(bytes)
        let caller = bytes.getInteger(at: bytes.readerIndex + Self.socketID, as: UInt32.self) ?? 0
        answer.setInteger(caller, at: Self.destination)
        answer.setInteger(0 as UInt16, at: Self.extensionField)
        answer.setInteger(code, at: Self.type)
        return answer
    }
}
