import NIOCore

/// A handshake packet (draft-sharabayko-srt-01 § 3.2.1).
struct SRTHandshake: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case induction
        case conclusion
        /// A rejection, with a number from 1000 on that says why (§ 3.2.1, table 7).
        case rejection(UInt32)
        case other
    }

    var kind: Kind
    /// The stream ID that the caller requests (§ 3.2.1.3); nil if there is none.
    var streamID: String?
    /// The cookie, which shows that the caller has its address (§ 4.3.1.1).
    var cookie: UInt32 { field(Self.cookieField) }
    /// The socket of whoever says it, which packets of the other side are for (§ 3.2.1).
    var socket: UInt32 { field(Self.socketID) }

    private let packet: ByteBuffer

    /// Header and handshake without extensions.
    private static let size = 64
    private static let (destination, version, encryption, extensionField) = (12, 16, 20, 22)
    private static let (type, socketID, cookieField) = (36, 40, 44)
    /// The extension field of a caller's induction, and that of a listener's answer (§ 4.3.1.1).
    private static let (datagrams, magic): (UInt16, UInt16) = (2, 0x4A17)
    /// Extension types (table 5).
    private static let streamIDExtension: UInt16 = 5
    /// Bytes of a stream identifier (§ 3.2.1.3).
    private static let longestStreamID = 512

    /// - Parameter packet: A control packet of type 0.
    init?(_ packet: ByteBuffer) {
        var rest = packet
        guard rest.readSlice(length: Self.size) != nil,
            let type = packet.getInteger(at: packet.readerIndex + Self.type, as: UInt32.self)
        else { return nil }
        self.packet = packet
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

    private func field(_ offset: Int) -> UInt32 {
        packet.getInteger(at: packet.readerIndex + offset, as: UInt32.self) ?? 0
    }

    /// The packet without extensions.
    private var head: ByteBuffer {
        var head = ByteBuffer()
        head.writeBytes(packet.readableBytesView.prefix(Self.size))
        return head
    }

    /// An answer that refuses the caller.
    ///
    /// - Parameter code: From 1000 on.
    /// - Returns: The packet.
    func rejection(_ code: UInt32) -> ByteBuffer {
        var answer = head
        answer.setInteger(socket, at: Self.destination)
        answer.setInteger(0 as UInt16, at: Self.extensionField)
        answer.setInteger(code, at: Self.type)
        return answer
    }

    /// A listener's answer to an induction, which keeps nothing of the caller (§ 4.3.1.1).
    func answer(cookie: UInt32) -> ByteBuffer {
        var answer = head
        answer.setInteger(socket, at: Self.destination)
        answer.setInteger(5 as UInt32, at: Self.version)
        // No length of keys is preferred.
        answer.setInteger(0 as UInt16, at: Self.encryption)
        answer.setInteger(Self.magic, at: Self.extensionField)
        answer.setInteger(cookie, at: Self.cookieField)
        return answer
    }

    /// The induction that would have come before this conclusion.
    var induction: ByteBuffer {
        var induction = head
        induction.setInteger(4 as UInt32, at: Self.version)
        induction.setInteger(0 as UInt16, at: Self.encryption)
        induction.setInteger(Self.datagrams, at: Self.extensionField)
        induction.setInteger(1 as UInt32, at: Self.type)
        induction.setInteger(0 as UInt32, at: Self.cookieField)
        return induction
    }

    /// The packet with another cookie.
    func with(cookie: UInt32) -> ByteBuffer {
        var packet = packet
        packet.setInteger(cookie, at: packet.readerIndex + Self.cookieField)
        return packet
    }
}
