package import NIOCore
package import NIOHTTP1

/// Decides which request is the last of its connection (RFC 9112 § 9.3), and answers what is no HTTP.
///
/// It sits where the version of a request is still known. Whatever follows the last request is dropped unread, and so is
/// the rest of a body whose request has been answered already. A body that does not arrive in time is answered with 408.
/// Hummingbird answers what does not parse with a bare 400, in its turn among pipelined requests; here that answer gets
/// the form of all others. While whole requests wait for their answers the connection has
/// ``ConnectionGate/Pass/began()``.
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

    /// Requests that may wait for their answers: whoever sends more has them answered, and the connection closed.
    package static let mostPipelined = 64

    private var inbound = Inbound.open
    /// Requests whose head is read, and which have no answer yet.
    private var unanswered = 0
    /// Whether the last of them is not read to its end.
    private var isReading = false
    /// Runs while a body is read.
    private var bodyEnd: Scheduled<Void>?
    private var closesAfterAnswer = false
    private var isWanted = false
    /// The status for what cannot be read as a request.
    private var rejected: HTTPResponseStatus?
    private let pass: ConnectionGate.Pass
    private let bodyTimeout: TimeAmount
    private let rejection: (HTTPResponseStatus) -> (fields: HTTPHeaders, body: ByteBuffer)

    /// - Parameters:
    ///   - pass: The connection's place.
    ///   - bodyTimeout: How long the body of a request may take to arrive.
    ///   - rejection: The answer to what is no HTTP, for a status.
    package init(
        pass: ConnectionGate.Pass,
        bodyTimeout: Duration,
        rejection: @escaping (HTTPResponseStatus) -> (fields: HTTPHeaders, body: ByteBuffer)
    ) {
        self.pass = pass
        self.bodyTimeout = TimeAmount(bodyTimeout)
        self.rejection = rejection
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        bodyEnd?.cancel()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), inbound) {
        case (.head(let head), .open):
            unanswered += 1
            isReading = true
            guard let head = head.inOriginForm() else {
                inbound = .closed
                return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
            }
            if head.isLastOfConnection || unanswered == Self.mostPipelined { inbound = .last }
            if head.headers.contains(name: "content-length") || head.headers.contains(name: "transfer-encoding") {
                waitForBody(context)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case (.body, .open), (.body, .last):
            context.fireChannelRead(data)
        case (.end, .open), (.end, .last):
            if inbound == .last { inbound = .closed }
            stopReading()
            pass.began()
            context.fireChannelRead(data)
        case (.head, .last), (_, .closed):
            break
        }
    }

    private func waitForBody(_ context: ChannelHandlerContext) {
        bodyEnd = context.eventLoop.assumeIsolated().scheduleTask(in: bodyTimeout) { [self] in
            rejected = .requestTimeout
            inbound = .closed
            // To Hummingbird it is one of the errors that it answers.
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
        }
    }

    private func stopReading() {
        isReading = false
        bodyEnd?.cancel()
        bodyEnd = nil
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
        if let error = error as? HTTPParserError, rejected == nil {
            rejected = error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
        }
        bodyEnd?.cancel()
        context.fireErrorCaught(error)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            unanswered -= 1
            if let rejected, head.status == .badRequest, head.headers.first(name: "content-length") == "0" {
                return writeRejection(rejected, context: context, promise: promise)
            }
            // Its answer does not depend on what is still to come of it (RFC 9112 § 9.6).
            if isReading, unanswered == 0 {
                stopReading()
                inbound = .closed
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
            if unanswered == (isReading ? 1 : 0) { pass.becameIdle() }
            if closesAfterAnswer {
                context.flush()
                context.close(mode: .output, promise: nil)
            }
            handOver(context)
        }
    }

    private func writeRejection(
        _ status: HTTPResponseStatus,
        context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
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
