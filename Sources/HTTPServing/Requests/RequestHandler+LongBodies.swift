import NIOCore

/// Bodies in memory that are written over TLS, as far as the client takes them.
///
/// A write is encrypted as a whole, which copies it: each slow client would have a copy of its own.
extension RequestHandler {
    /// The body that is being written, from the bytes on that are still to be written.
    struct Rest {
        var body: ByteBuffer
        /// True if it is the last body of its connection.
        var closes: Bool
    }

    /// The bytes that are written at a time.
    static let longestSecureWrite = 256 * 1024

    /// Writes a body behind its head, or begins to.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - closes: True if it is the last of its connection.
    ///   - context: The place where the head was written.
    /// - Returns: False if a rest is written later, before any other answer.
    func write(_ body: ByteBuffer, closes: Bool, _ context: ChannelHandlerContext) -> Bool {
        guard reader.isSecure, body.readableBytes > Self.longestSecureWrite else {
            context.write(wrapOutboundOut(.byteBuffer(body)), promise: nil)
            return true
        }
        rest = Rest(body: body, closes: closes)
        return writeRest(context)
    }

    /// Continues with a body, now that the client takes more.
    func writeRest(_ context: ChannelHandlerContext) {
        guard let closes = rest?.closes, writeRest(context) else { return }
        lastActivity = .now()
        wasAnswered(closes: closes || isQuiescing, context)
    }

    /// Writes the rest of a body until the client takes no more.
    ///
    /// - Returns: True if it is written.
    private func writeRest(_ context: ChannelHandlerContext) -> Bool {
        while context.channel.isWritable {
            guard let count = rest?.body.readableBytes, count > 0 else { break }
            guard let bytes = rest?.body.readSlice(length: min(count, Self.longestSecureWrite)) else { break }
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        }
        guard rest?.body.readableBytes == 0 else { return false }
        rest = nil
        return true
    }
}
