import NIOCore
import NIOHTTP2

/// Guards one stream of HTTP/2, as ``ConnectionHandler`` does a connection: who does not take what was written loses it.
final class StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: MultiplexHandler
    private let writeTimeout: TimeAmount
    /// Runs while flow control lets nothing through.
    private var stalled: Scheduled<Void>?

    init(connection: MultiplexHandler, timeouts: ConnectionTimeouts) {
        self.connection = connection
        writeTimeout = TimeAmount(timeouts.write)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connection.streamOpened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stalled?.cancel()
        connection.streamClosed()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalled?.cancel()
        stalled =
            context.channel.isWritable
            ? nil
            : context.eventLoop.assumeIsolated().scheduleTask(in: writeTimeout) { context.close(promise: nil) }
        context.fireChannelWritabilityChanged()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        // RFC 9113 § 8.1: the answer is whole, and what the client has not sent yet of its request is not needed.
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: promise)
    }
}
