import NIOCore

/// Counts the frames of a connection of HTTP/2, stops reading after too many, and flushes written bytes
/// before they are many.
///
/// A flush encrypts all written bytes, which copies them: only then does it show that the client takes no more. A
/// client with large windows that reads nothing would have all its answers copied if they were flushed together.
final class FrameMeter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The event that a client has sent more frames than allowed.
    struct Exceeded {}

    /// Bytes of the head of a frame (RFC 9113 § 4.1).
    private static let headBytes = 9

    private var allowance = FrameAllowance(now: .now())
    private var isExceeded = false
    /// Bytes written since the last flush.
    private var unflushed = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isExceeded else { return }
        isExceeded = !unwrapInboundIn(data).withUnsafeReadableBytes { allowance.received($0, at: .now()) }
        if isExceeded {
            context.fireUserInboundEventTriggered(Exceeded())
        } else {
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let count = unwrapOutboundIn(data).readableBytes
        allowance.sent(count)
        unflushed += count
        context.write(data, promise: promise)
        // There is no flush between the head of a frame, which comes alone before data, and its rest: a handler that
        // learns of it may write another frame.
        if count > Self.headBytes, unflushed >= MultiplexLimits.unflushedBytes { flush(context: context) }
    }

    func flush(context: ChannelHandlerContext) {
        unflushed = 0
        context.flush()
    }
}
