import NIOCore
import NIOHTTP2

/// Looks after a connection of HTTP/2 whose streams have the requests: its place, its idleness, and its end where the
/// client does what the protocol does not allow.
final class MultiplexHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let pass: ConnectionGate.Pass
    private let idleTimeout: TimeAmount
    private var streams = 0
    /// Streams whose request is whole.
    private var requests = 0
    private var ending: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(pass: ConnectionGate.Pass, idleTimeout: Duration) {
        self.pass = pass
        self.idleTimeout = TimeAmount(idleTimeout)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        becameIdle()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ending?.cancel()
        self.context = nil
    }

    func streamOpened() {
        streams += 1
        if streams == 1 { ending?.cancel() }
    }

    /// The client has sent all of a stream's request.
    func requestArrived() {
        requests += 1
        if requests == 1 { pass.began() }
    }

    /// - Parameter hadRequest: True if the stream's request had arrived.
    func streamClosed(hadRequest: Bool) {
        streams -= 1
        if hadRequest { requests -= 1 }
        if requests == 0 { pass.becameIdle() }
        if streams == 0 { becameIdle() }
    }

    private func becameIdle() {
        guard let context else { return }
        ending = context.eventLoop.assumeIsolated().scheduleTask(in: idleTimeout) {
            // The client is told, and may have sent a request meanwhile (RFC 9113 § 6.8).
            context.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is FrameMeter.Exceeded {
            // Its streams end with it, for they are not to be asked for again (RFC 9113 § 6.8).
            let words = HTTP2Frame.FramePayload.goAway(lastStreamID: 0, errorCode: .enhanceYourCalm, opaqueData: nil)
            context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: words)), promise: nil)
            return context.close(promise: nil)
        }
        // It sends nothing more, not even what flow control needs.
        if case ChannelEvent.inputClosed = event, streams == 0 { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Of a stream's error, RST_STREAM has told the client, and the connection continues (RFC 9113 § 5.4.2).
        if error is NIOHTTP2Errors.StreamError { return }
        // GOAWAY was written already, where anything could be said.
        context.close(promise: nil)
    }
}
