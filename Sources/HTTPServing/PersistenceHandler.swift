package import NIOCore
package import NIOHTTP1

/// Decides which request is the last of its connection (RFC 9112 § 9.3), and answers what is no HTTP.
///
/// It sits where the version of a request is still known. Whatever follows the last request is dropped unread. Hummingbird
/// answers what does not parse with a bare 400, in its turn among pipelined requests; here that answer gets the form of
/// all others. While requests wait for their answers the connection has ``ConnectionGate/Pass/began()``.
package final class PersistenceHandler: ChannelDuplexHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

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
    private var isWanted = false
    private var parserError: HTTPParserError?
    private let pass: ConnectionGate.Pass
    private let rejection: (HTTPResponseStatus) -> (fields: HTTPHeaders, body: ByteBuffer)

    /// - Parameters:
    ///   - pass: The connection's place.
    ///   - rejection: The answer to what is no HTTP, for a status.
    package init(
        pass: ConnectionGate.Pass,
        rejection: @escaping (HTTPResponseStatus) -> (fields: HTTPHeaders, body: ByteBuffer)
    ) {
        self.pass = pass
        self.rejection = rejection
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), inbound) {
        case (.head(let head), .open):
            unanswered += 1
            pass.began()
            guard let head = head.inOriginForm() else {
                inbound = .closed
                return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
            }
            if head.isLastOfConnection { inbound = .last }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case (.body, .open), (.end, .open), (.body, .last):
            context.fireChannelRead(data)
        case (.end, .last):
            inbound = .closed
            context.fireChannelRead(data)
        case (.head, .last), (_, .closed):
            break
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is Handover.Wanted else { return context.fireUserInboundEventTriggered(event) }
        isWanted = true
        handOver(context)
    }

    /// Lets the connection go to another process once nothing is asked of it.
    private func handOver(_ context: ChannelHandlerContext) {
        guard isWanted, unanswered == 0, inbound == .open else { return }
        context.triggerUserOutboundEvent(Handover.Due(), promise: nil)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder's own limit covers fields; the buffer's limit covers a target that does not end.
        let error = error is ByteToMessageDecoderError.PayloadTooLargeError ? HTTPParserError.headerOverflow : error
        if parserError == nil { parserError = error as? HTTPParserError }
        context.fireErrorCaught(error)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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
            if unanswered == 0 { pass.becameIdle() }
            if closesAfterAnswer {
                context.flush()
                context.close(mode: .output, promise: nil)
            }
            handOver(context)
        }
    }

    private func writeRejection(
        _ error: HTTPParserError,
        context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        let status: HTTPResponseStatus = error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
        var (fields, body) = rejection(status)
        closesAfterAnswer = true
        inbound = .closed
        fields.add(name: "Connection", value: "close")
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))),
            promise: nil
        )
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
    }
}
