import NIOCore
import NIOHPACK
import NIOHTTP2

/// Guards one stream of HTTP/2, as ``ConnectionHandler`` does a connection: a client that does not take what was written
/// loses it, and so does one whose request does not arrive in time, with 408, or is answered before it has.
final class StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: MultiplexHandler
    private let writeTimeout: TimeAmount
    private let bodyTimeout: TimeAmount
    /// Runs while flow control lets nothing through.
    private var stalled: Scheduled<Void>?
    /// Runs while the body of the request is read.
    private var bodyEnd: Scheduled<Void>?
    private var hasRequest = false
    private var isAnswered = false

    init(connection: MultiplexHandler, timeouts: ConnectionTimeouts) {
        self.connection = connection
        writeTimeout = TimeAmount(timeouts.write)
        bodyTimeout = TimeAmount(timeouts.body)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connection.streamOpened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stalled?.cancel()
        bodyEnd?.cancel()
        connection.streamClosed(hadRequest: hasRequest)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers) where headers.endStream: requestArrived()
        case .headers: waitForBody(context)
        case .data(let data) where data.endStream: requestArrived()
        default: break
        }
        context.fireChannelRead(data)
    }

    private func requestArrived() {
        guard !hasRequest else { return }
        hasRequest = true
        bodyEnd?.cancel()
        connection.requestArrived()
    }

    private func waitForBody(_ context: ChannelHandlerContext) {
        guard bodyEnd == nil else { return }
        bodyEnd = context.eventLoop.assumeIsolated().scheduleTask(in: bodyTimeout) { [self] in
            guard !isAnswered else { return }
            let head: HPACKHeaders = [":status": "408", "cache-control": "no-store", "content-length": "0"]
            let answer = HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: true))
            write(context: context, data: wrapOutboundOut(answer), promise: nil)
            context.flush()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isLast: Bool
        switch unwrapOutboundIn(data) {
        case .headers(let headers): isLast = headers.endStream
        case .data(let data): isLast = data.endStream
        default: isLast = false
        }
        isAnswered = true
        guard isLast, !hasRequest else { return context.write(data, promise: promise) }
        let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
        // What the client has not sent yet of its request is not needed.
        sent.futureResult.assumeIsolated().whenSuccess { [self] in close(context: context, mode: .output, promise: nil)
        }
        context.write(data, promise: sent)
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
