import NIOCore

/// The SRT datagrams that the gate reads (draft-sharabayko-srt-01 § 3).
enum SRTPacket: Hashable, Sendable {
    case handshake(SRTHandshake)
    /// One side ends the connection (§ 3.2.7): that of a socket of the other side.
    case shutdown(socket: UInt32)
    /// Media or control packets of a connection.
    case other

    private static let headerSize = 16
    /// The place of the socket that a packet is for (§ 3).
    private static let socket = 12
    private static let (handshakeType, shutdownType): (UInt16, UInt16) = (0x8000, 0x8005)

    /// - Parameter datagram: The datagram. The result is nil if it is too short.
    init?(_ datagram: ByteBuffer) {
        guard datagram.readableBytes >= Self.headerSize,
            let type = datagram.getInteger(at: datagram.readerIndex, as: UInt16.self)
        else { return nil }
        switch type {
        case Self.handshakeType:
            guard let handshake = SRTHandshake(datagram) else { return nil }
            self = .handshake(handshake)
        case Self.shutdownType:
            self = .shutdown(socket: datagram.getInteger(at: datagram.readerIndex + Self.socket) ?? 0)
        default: self = .other
        }
    }
}
