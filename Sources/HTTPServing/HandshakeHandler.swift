import NIOCore
import NIOTLS

/// Waits for the end of a TLS handshake, with a timeout, and then makes room for the agreed protocol.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private let setUp: (_ protocol: String?) throws -> Void
    private var ending: Scheduled<Void>?

    /// - Parameters:
    ///   - timeout: The time for the handshake.
    ///   - setUp: Adds the handlers of the negotiated protocol; nil if the client has named none.
    init(timeout: Duration, setUp: @escaping (_ protocol: String?) throws -> Void) {
        self.timeout = TimeAmount(timeout)
        self.setUp = setUp
    }

    func handlerAdded(context: ChannelHandlerContext) {
        ending = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ending?.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated):
            do {
                // Bytes that the client has sent already come after this event.
                try setUp(negotiated)
                context.pipeline.syncOperations.removeHandler(self, promise: nil)
            } catch {
                context.close(promise: nil)
            }
        case is ChannelShouldQuiesceEvent:
            context.close(promise: nil)
        default:
            break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIOSSL has sent the alert to clients without TLS, or with another trusted authority.
        context.close(promise: nil)
    }
}
