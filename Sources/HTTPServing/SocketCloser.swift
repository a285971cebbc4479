import NIOCore

/// Closes an encrypted connection in front of TLS, which itself waits for the client's `close_notify`.
///
/// A client that never sends it would otherwise keep its descriptor for seconds after its connection has ended.
final class SocketCloser: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    /// Asks for an end of the connection at once.
    struct Due {}

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        if event is Due {
            context.close(mode: .all, promise: promise)
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
}
