import NIOCore

/// Counts the frames of a connection of HTTP/2, and reads no more of it once there were too many.
final class FrameMeter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Says that the client has sent more frames than it may.
    struct Exceeded {}

    private var allowance = FrameAllowance(now: .now())
    private var isExceeded = false

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
        allowance.sent(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
