import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import Presentation

/// Answers the requests of one connection, in their order and one at a time.
///
/// While an answer is awaited, or the client does not take what it was sent, nothing more is read. What does not parse is
/// answered in its turn, and whatever follows the last request (RFC 9112 § 9.3) is dropped unread.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = IOData

    /// What came from the client and has its turn.
    private enum Arrival {
        case part(HTTPServerRequestPart)
        case malformed(HTTPParserError)
        /// The client sends nothing more, and wants its answers.
        case end
    }

    private enum Reading {
        case head
        /// A request whose answer depends on what is posted.
        case posted(OriginRequest)
        /// What follows the head of a request that has its answer, or will have.
        case rest
        case closed
    }

    /// A request that has no answer yet.
    private struct Pending {
        var request: OriginRequest
        var since: NIODeadline
        /// The answer if nothing happens in time, and what may happen.
        var answer: Answer?
        var stopWaiting: () -> Void = {}
    }

    private let responder: OriginResponder
    private let configuration: OriginConfiguration
    private let pass: ConnectionGate.Pass
    private let date: DateField
    private let now: @Sendable () -> MediaTime
    private let idleTimeout: TimeAmount

    private var arrivals = CircularBuffer<Arrival>(initialCapacity: 1)
    private var reading = Reading.head
    private var isLast = false
    private var isQuiescing = false
    private var pending: Pending?
    private var readIsDue = false
    private var client = 0
    private var lastActivity = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?

    init(
        responder: OriginResponder,
        configuration: OriginConfiguration,
        pass: ConnectionGate.Pass,
        date: DateField,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.responder = responder
        self.configuration = configuration
        self.pass = pass
        self.date = date
        self.now = now
        idleTimeout = TimeAmount(configuration.idleTimeout)
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        client = context.channel.remoteAddress?.ipAddress.hashValue ?? 0
        checkIdleness(after: idleTimeout, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleCheck?.cancel()
        pending?.stopWaiting()
        pending = nil
    }

    /// One timer looks after all requests of the connection, so that none has to set its own.
    private func checkIdleness(after time: TimeAmount, _ context: ChannelHandlerContext) {
        idleCheck = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let idleUntil = pending == nil ? lastActivity + idleTimeout : .now() + idleTimeout
            if idleUntil <= .now() { return context.close(promise: nil) }
            checkIdleness(after: idleUntil - .now(), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            if let answer = pending?.answer {
                conclude(answer, context)
                context.flush()
            } else if pending == nil {
                context.close(promise: nil)
            }
        case let event as NIOCore.ChannelEvent where event == .inputClosed:
            arrived(.end, context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isPaused(context) { readIsDue = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived(.part(unwrapInboundIn(data)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        resume(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        // The decoder's own limit covers fields; the buffer's limit covers a target that does not end.
        case is ByteToMessageDecoderError.PayloadTooLargeError: arrived(.malformed(.headerOverflow), context)
        case let error as HTTPParserError: arrived(.malformed(error), context)
        default: context.close(promise: nil)
        }
        context.flush()
    }

    private func isPaused(_ context: ChannelHandlerContext) -> Bool {
        pending != nil || !context.channel.isWritable
    }

    private func arrived(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        if !arrivals.isEmpty || isPaused(context) {
            arrivals.append(arrival)
        } else {
            take(arrival, context)
        }
    }

    /// Goes on with what has arrived meanwhile.
    private func resume(_ context: ChannelHandlerContext) {
        while !isPaused(context), let arrival = arrivals.popFirst() { take(arrival, context) }
        context.flush()
        guard !isPaused(context) else { return }
        if case .head = reading { pass.becameIdle() }
        guard readIsDue else { return }
        readIsDue = false
        context.read()
    }

    private func take(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        switch (arrival, reading) {
        case (_, .closed):
            break
        case (.part(.head(let head)), _):
            lastActivity = .now()
            begin(head, context)
        case (.part(.body(let bytes)), .posted(var request)):
            guard request.body.readableBytes + bytes.readableBytes <= configuration.maximumBodyBytes else {
                let rejection = Rejection(
                    .payloadTooLarge,
                    "the body is longer than \(configuration.maximumBodyBytes) bytes"
                )
                // What remains of it is not waited for.
                isLast = true
                return send(rejection.answer(), to: request, since: lastActivity, context)
            }
            reading = .rest
            request.body.writeImmutableBuffer(bytes)
            reading = .posted(request)
        case (.part(.body), _):
            break
        case (.part(.end), .posted(let request)):
            reading = .head
            answer(request, context)
        case (.part(.end), _):
            reading = .head
        case (.malformed(let error), _):
            isLast = true
            let status: HTTPResponseStatus = error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
            write(Rejection(status).answer(), context)
        case (.end, _):
            context.close(mode: .output, promise: nil)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        pass.began()
        guard let head = head.inOriginForm() else {
            return take(.malformed(.invalidHeaderToken), context)
        }
        isLast = head.isLastOfConnection
        let request = OriginRequest(head.method, head.uri, head.headers, client: client)
        if responder.wantsBody(request) {
            reading = .posted(request)
        } else {
            reading = .rest
            answer(request, context)
        }
    }

    // MARK: Answering

    private func answer(_ request: OriginRequest, _ context: ChannelHandlerContext) {
        let since = NIODeadline.now()
        switch responder.reply(to: request) {
        case .answer(let answer): send(answer, to: request, since: since, context)
        case .work(let work): workOut(work, Pending(request: request, since: since), context)
        case .waiting(let presentation, let answer):
            wait(for: presentation, request, since: since, otherwise: answer, context)
        }
    }

    private func workOut(_ work: @escaping @Sendable () -> Answer, _ pending: Pending, _ context: ChannelHandlerContext)
    {
        self.pending = pending
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop, work).whenComplete { result in
            let (handler, context) = bound.value
            handler.conclude((try? result.get()) ?? Rejection(.serviceUnavailable).answer(), context)
        }
    }

    /// Concludes a request that was pending, unless the connection has ended meanwhile.
    private func conclude(_ answer: Answer, _ context: ChannelHandlerContext) {
        guard let pending else { return }
        self.pending = nil
        pending.stopWaiting()
        send(answer, to: pending.request, since: pending.since, context)
        resume(context)
    }

    private func send(_ answer: Answer, to request: OriginRequest, since: NIODeadline, _ context: ChannelHandlerContext)
    {
        write(responder.finish(answer, request, duration: .nanoseconds((.now() - since).nanoseconds)), context)
    }

    private func write(_ answer: Answer, _ context: ChannelHandlerContext) {
        let closes = isLast || isQuiescing
        let (head, hasBody) = answer.encoded(
            date: date.text(at: now()),
            closes: closes,
            allocator: context.channel.allocator
        )
        context.write(wrapOutboundOut(.byteBuffer(head)), promise: nil)
        if !hasBody { context.write(wrapOutboundOut(.byteBuffer(answer.body)), promise: nil) }
        lastActivity = .now()
        if closes {
            reading = .closed
            context.flush()
            context.close(mode: .output, promise: nil)
        }
        if context.channel.isWritable || closes { pass.becameIdle() }
    }
}

// MARK: Channels that have not begun

extension RequestHandler {
    /// Keeps a request until its channel publishes, since a player that is refused at its start gives up.
    private func wait(
        for presentation: Presentation,
        _ request: OriginRequest,
        since: NIODeadline,
        otherwise answer: Answer,
        _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let waiter = presentation.whenListed {
            eventLoop.execute { bound.value.handler.askAgain(bound.value.context) }
        }
        guard let waiter, !isQuiescing else {
            return send(answer, to: request, since: since, context)
        }
        let patience = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(configuration.startPatience)) {
            self.conclude(answer, context)
        }
        pending = Pending(request: request, since: since, answer: answer) {
            patience.cancel()
            presentation.stopWaiting(waiter)
        }
    }

    private func askAgain(_ context: ChannelHandlerContext) {
        guard let pending, let refusal = pending.answer else { return }
        if case .answer(let answer) = responder.reply(to: pending.request) {
            conclude(answer, context)
        } else {
            conclude(refusal, context)
        }
    }
}
