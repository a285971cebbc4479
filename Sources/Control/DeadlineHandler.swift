import NIOCore

/// Ends connections that would stay for ever: of clients that do not take what is written, and of all that are left some
/// time after a shutdown has begun.
final class DeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let writeTimeout: TimeAmount
    private let shutdownTimeout: TimeAmount
    private var stalled: Scheduled<Void>?
    private var quiescing: Scheduled<Void>?

    init(configuration: ControlConfiguration) {
        writeTimeout = TimeAmount(configuration.writeTimeout)
        shutdownTimeout = TimeAmount(configuration.shutdownTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stalled?.cancel()
        quiescing?.cancel()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalled?.cancel()
        stalled = context.channel.isWritable ? nil : close(after: writeTimeout, context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { quiescing = close(after: shutdownTimeout, context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func close(after time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(mode: .all, promise: nil) }
    }
}
