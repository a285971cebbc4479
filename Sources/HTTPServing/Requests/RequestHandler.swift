import MediaCore
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection of HTTP/1.1, in their order and one at a time.
///
/// While an answer is pending, or the client does not take sent bytes, nothing more is read. Malformed requests are
/// answered in order, too.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = IOData

    /// A request that has no answer yet.
    struct Pending {
        var request: Request
        var since: NIODeadline
        /// The wait of the request, and the reply once it is over; nil if the answer is on its way.
        var wait: (reply: @Sendable () -> Reply, stop: @Sendable () -> Void)?
    }

    let responder: any Responder
    private let timeouts: ConnectionTimeouts
    let maximumHeadBytes: Int
    /// The connection's entry in the table.
    let pass: ConnectionGate.Pass
    let date: DateField
    let now: @Sendable () -> MediaTime

    /// The place in the pipeline while the connection is open.
    private(set) var context: ChannelHandlerContext?
    private(set) var arrivals = CircularBuffer<RequestReader.Arrival>(initialCapacity: 1)
    var reader: RequestReader
    private(set) var isQuiescing = false
    /// True if another process takes over the connection once it has no request.
    private(set) var isHandedOver = false
    var pending: Pending?
    /// The body that is being written.
    var streamed: StreamedBody?
    /// The body that is being written over TLS.
    var rest: Rest?
    /// The part of a file that is being sent: no more than one, so that a connection has no more than one open.
    var sending: FilePart?
    /// Checks at intervals that the file being sent still has the remaining bytes.
    var fileCheck: Scheduled<Void>?
    private var readIsDue = false
    var lastActivity = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?
    /// Runs while a body is read that an answer depends on.
    private var bodyEnd: Scheduled<Void>?

    /// The most heads, ends and pieces of bodies that may wait for their turn.
    ///
    /// A client that sends more has these answered, and the connection closed.
    static let mostArrivals = 128

    /// - Parameters:
    ///   - responder: Answers the requests.
    ///   - connection: The connection that they come on.
    ///   - configuration: How long clients may take, and how much of a body is read that no answer depends on.
    ///   - date: The `Date` of answers.
    ///   - now: UTC, counted from 1970.
    init(
        responder: any Responder,
        connection: ServedConnection,
        configuration: HTTPServer.Configuration,
        date: DateField,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.responder = responder
        pass = connection.pass
        self.date = date
        self.now = now
        (timeouts, maximumHeadBytes) = (configuration.timeouts, configuration.maximumHeadBytes)
        reader = RequestReader(maximumBodyBytes: configuration.maximumBodyBytes) { responder.verdict(on: $0) }
        reader.isSecure = connection.isSecure
    }

    /// True if a request waits for its answer, or for the end of the answer.
    var isAnswering: Bool { pending != nil || streamed != nil || rest != nil }

    /// True if all read data was taken.
    var hasReadAll: Bool { arrivals.isEmpty && reader.isBetweenRequests }

    /// True if the next request may be answered at once.
    var isBetweenAnswers: Bool { isFree && sending == nil && !isQuiescing && !isHandedOver }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        reader.address = context.channel.remoteAddress?.ipAddress ?? ""
        reader.client = context.channel.remoteAddress?.ipAddress.hashValue ?? 0
        reader.network = context.channel.remoteAddress?.network.hashValue ?? 0
        checkIdleness(after: TimeAmount(timeouts.idle), context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        idleCheck?.cancel()
        bodyEnd?.cancel()
        fileCheck?.cancel()
        pending?.wait?.stop()
        pending = nil
        streamed?.cancel()
        streamed = nil
        rest = nil
    }

    /// Checks for idleness by one timer for all requests of the connection.
    private func checkIdleness(after time: TimeAmount, _ context: ChannelHandlerContext) {
        idleCheck = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let idleUntil = (isPaused(context) ? .now() : lastActivity) + TimeAmount(timeouts.idle)
            if idleUntil <= .now() { return context.close(promise: nil) }
            checkIdleness(after: idleUntil - .now(), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            if pending?.wait != nil {
                endWait(context)
                context.flush()
            } else if !isAnswering {
                context.close(promise: nil)
            }
        case is Handover.Wanted:
            isHandedOver = true
            handOver(context)
        case let event as NIOCore.ChannelEvent where event == .inputClosed:
            arrived(.end, context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isPaused(context), !listens { readIsDue = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived(.part(unwrapInboundIn(data)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        handOver(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            streamed?.resume()
            writeRest(context)
        }
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
        isAnswering || sending != nil || !context.channel.isWritable
    }

    private func arrived(_ arrival: RequestReader.Arrival, _ context: ChannelHandlerContext) {
        if !arrivals.isEmpty || isPaused(context) && !reader.discards(arrival) {
            guard arrivals.count <= Self.mostArrivals else { return }
            arrivals.append(arrivals.count < Self.mostArrivals ? arrival : .end)
        } else {
            take(arrival, context)
        }
    }

    /// Continues with bytes that arrived during the pause.
    func resume(_ context: ChannelHandlerContext) {
        while let arrival = arrivals.first, !isPaused(context) || reader.discards(arrival) {
            arrivals.removeFirst()
            take(arrival, context)
        }
        context.flush()
        guard !isPaused(context) else { return readIfDue(context) }
        lastActivity = .now()
        pass.becameIdle()
        handOver(context)
        readIfDue(context)
    }

    func readIfDue(_ context: ChannelHandlerContext) {
        guard readIsDue, !isPaused(context) || listens else { return }
        readIsDue = false
        context.read()
    }

    private func take(_ arrival: RequestReader.Arrival, _ context: ChannelHandlerContext) {
        let isHead = if case .part(.head) = arrival { !reader.isClosed } else { false }
        if isHead { lastActivity = .now() }
        let action = reader.take(arrival)
        setBodyEnd(context)
        switch action {
        case .nothing: break
        case .answer(let request, let reply):
            pass.began()
            answer(request, reply, since: isHead ? lastActivity : .now(), context)
        case .invite: context.write(wrapOutboundOut(.byteBuffer(Self.invitation)), promise: nil)
        case .reject(let status): write(responder.rejection(status), context)
        case .closeOutput: context.close(mode: .output, promise: nil)
        }
    }

    private static let invitation = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")

    /// Starts or cancels the timeout for the body of a request.
    private func setBodyEnd(_ context: ChannelHandlerContext) {
        if reader.awaitsBody {
            guard bodyEnd == nil else { return }
            let time = TimeAmount(timeouts.body)
            bodyEnd = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
                arrived(.late, context)
                context.flush()
            }
        } else if let bodyEnd {
            bodyEnd.cancel()
            self.bodyEnd = nil
        }
    }

    // MARK: Answering

    /// Concludes a request that was pending, unless the connection has ended meanwhile.
    ///
    /// The rest of its body is not waited for (RFC 9112 § 9.6).
    func conclude(_ answer: Answer, _ context: ChannelHandlerContext) {
        guard let pending else { return }
        self.pending = nil
        if !reader.isBetweenRequests { reader.endsConnection() }
        send(answer, to: pending.request, since: pending.since, context)
        resume(context)
    }

    /// Continues with a request that was pending, unless the connection has ended meanwhile.
    func conclude(_ reply: Reply, _ context: ChannelHandlerContext) {
        if case .answer(let answer) = reply { return conclude(answer, context) }
        guard let pending else { return }
        self.pending = nil
        answer(pending.request, reply, since: pending.since, context)
        // It may have been answered at once.
        if self.pending == nil { resume(context) }
    }

    func send(_ answer: Answer, to request: Request, since: NIODeadline, _ context: ChannelHandlerContext) {
        write(responder.finish(answer, request, duration: .nanoseconds((.now() - since).nanoseconds)), context)
    }

    private func write(_ answer: Answer, _ context: ChannelHandlerContext) {
        lastActivity = .now()
        if let stream = answer.stream { return begin(stream, of: answer, context) }
        let closes = reader.isLast || isQuiescing
        let hasBody = writeHead(answer, closes: closes, context)
        if let file = answer.file {
            send(file, context)
        } else if !hasBody, !write(answer.body, closes: closes, context) {
            return
        }
        wasAnswered(closes: closes, context)
    }

    /// - Returns: True if the body is written with it.
    @discardableResult
    func writeHead(_ answer: Answer, closes: Bool, _ context: ChannelHandlerContext) -> Bool {
        let (head, hasBody) = answer.encoded(
            date: date.text(at: now()),
            closes: closes,
            allocator: context.channel.allocator
        )
        context.write(wrapOutboundOut(.byteBuffer(head)), promise: nil)
        return hasBody
    }

    /// An answer is written.
    func wasAnswered(closes: Bool, _ context: ChannelHandlerContext) {
        if closes {
            reader.close()
            context.flush()
            context.close(mode: .output, promise: nil)
        }
        if context.channel.isWritable && sending == nil || closes { pass.becameIdle() }
    }
}
