import HTTPTypes
import NIOCore
import NIOHTTP1

/// Decides which request is the last of its connection (RFC 9112 § 9.3), and answers what is no HTTP.
///
/// It sits where the version of a request is still known. Whatever follows the last request is dropped unread. Hummingbird
/// answers what does not parse with a bare 400, in its turn among pipelined requests; here that answer gets the form of
/// all others.
final class PersistenceHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Inbound {
        case open
        /// A request after which nothing is read has begun.
        case last
        case closed
    }

    private var inbound = Inbound.open
    /// Requests that are read and have no answer yet.
    private var unanswered = 0
    private var closesAfterAnswer = false
    private var parserError: HTTPParserError?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), inbound) {
        case (.head(let head), .open):
            unanswered += 1
            // RFC 9112 § 3.2: a request without exactly one Host is refused; it may mean something else to a proxy.
            guard head.version == .http1_0 || head.headers["host"].count == 1 else {
                inbound = .closed
                return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
            }
            if isLast(head) { inbound = .last }
            context.fireChannelRead(data)
        case (.body, .open), (.end, .open), (.body, .last):
            context.fireChannelRead(data)
        case (.end, .last):
            inbound = .closed
            context.fireChannelRead(data)
        case (.head, .last), (_, .closed):
            break
        }
    }

    private func isLast(_ head: HTTPRequestHead) -> Bool {
        // HTTP/1.0 clients expect an answer to say so if the connection persists; simpler is that theirs never do.
        // After an upgrade that is offered, or a tunnel, NIO's decoder reads nothing more.
        head.version == .http1_0 || !head.isKeepAlive || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder's own limit covers fields; the buffer's limit covers a target that does not end.
        let error = error is ByteToMessageDecoderError.PayloadTooLargeError ? HTTPParserError.headerOverflow : error
        if parserError == nil { parserError = error as? HTTPParserError }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            unanswered -= 1
            if let parserError, head.status == .badRequest, head.headers.first(name: "content-length") == "0" {
                return writeRejection(parserError, context: context, promise: promise)
            }
            if inbound != .open, unanswered == 0 { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            if head.headers.first(name: "connection") == "close" {
                closesAfterAnswer = true
                inbound = .closed
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            if closesAfterAnswer {
                context.flush()
                context.close(mode: .output, promise: nil)
            }
        }
    }

    private func writeRejection(
        _ error: HTTPParserError,
        context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        let isTooLarge = error == .headerOverflow
        let rejection = Rejection(isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest)
        closesAfterAnswer = true
        inbound = .closed
        var head = HTTPResponseHead(version: .http1_1, status: isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest)
        for field in rejection.fields { head.headers.add(name: field.name.rawName, value: field.value) }
        head.headers.add(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(rejection.body))), promise: promise)
    }
}
