import MediaCore
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// Answers the requests of a connection of HTTP/2, as its ``StreamTable`` decides.
///
/// It stands behind a handler that reads and writes frames, keeps to the windows of the client, and enforces the
/// protocol. Requests are answered as they come, side by side. Bytes that a client does not take wait in that handler,
/// for as long as ``ConnectionTimeouts/write``.
final class MultiplexHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private static let protocolName = "HTTP/2.0"

    private let pass: ConnectionGate.Pass
    private let isSecure: Bool
    let eventLoop: any EventLoop
    private let maximumHeadBytes: Int
    private let makeResponder: () -> any Responder
    let date: DateField
    let now: @Sendable () -> MediaTime

    var streams: StreamTable
    /// The place in the pipeline; nil before the handler is added, and after it was removed.
    private(set) var context: ChannelHandlerContext?
    private var client = 0
    private var network = 0
    private var address = ""
    /// True if the connection's entry in the table says that a request waits for its answer.
    private var isAsked = false
    /// True once the client has lost the connection.
    private var hasEnded = false
    /// Runs until the first time that may be up.
    private var timer: Scheduled<Void>?
    private var timerEnd = NIODeadline.distantFuture

    /// - Parameters:
    ///   - connection: The connection of the requests.
    ///   - eventLoop: The event loop of the connection.
    ///   - timeouts: The times that a client may take.
    ///   - maximumHeadBytes: Bytes of all header fields of a request, and of its target.
    ///   - date: The `Date` of answers.
    ///   - now: UTC, counted from 1970.
    ///   - responder: Returns the responder of one request.
    init(
        connection: ServedConnection,
        eventLoop: any EventLoop,
        timeouts: ConnectionTimeouts,
        maximumHeadBytes: Int,
        date: DateField,
        now: @escaping @Sendable () -> MediaTime,
        responder: @escaping () -> any Responder
    ) {
        pass = connection.pass
        isSecure = connection.isSecure
        self.eventLoop = eventLoop
        self.date = date
        self.now = now
        self.maximumHeadBytes = maximumHeadBytes
        makeResponder = responder
        streams = StreamTable(timeouts: timeouts, now: eventLoop.now)
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        address = context.channel.remoteAddress?.ipAddress ?? ""
        client = context.channel.remoteAddress?.ipAddress.hashValue ?? 0
        network = context.channel.remoteAddress?.network.hashValue ?? 0
        settle()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        for cancel in streams.closedAll() { cancel() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as StreamClosedEvent: closed(event.streamID)
        case is NIOHTTP2StreamCreatedEvent: break
        case let event as NIOHTTP2WindowUpdatedEvent: updated(event)
        case is ChannelShouldQuiesceEvent:
            quiesce()
            context.fireUserInboundEventTriggered(event)
        case is FrameMeter.Exceeded:
            end()
        case ChannelEvent.inputClosed:
            streams.inputClosed()
            settle()
            context.fireUserInboundEventTriggered(event)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An answer cannot be written, and its client has to notice.
        if let error = error as? NIOHTTP2Errors.StreamError { return reset(error.streamID, .internalError) }
        // RFC 9113 § 5.4.2: the other requests continue.
        if error.concernsOneRequest { return }
        // GOAWAY was written already, if that was possible.
        context.close(promise: nil)
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Over TLS the connection closes a little later, and the same read may have more frames.
        guard !hasEnded else { return }
        let frame = unwrapInboundIn(data)
        let now = eventLoop.now
        switch frame.payload {
        case .headers(let head):
            let action = streams.headers(head, on: frame.streamID, at: now)
            if case .decide = action {
                settle()
                decide(head, on: frame.streamID, at: now)
            } else {
                perform(action, on: frame.streamID)
            }
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return }
            perform(streams.data(bytes, isLast: data.endStream, on: frame.streamID, at: now), on: frame.streamID)
        case .ping(_, ack: true):
            guard let last = streams.knowsOfEnd() else { return }
            write(.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil), on: .rootStream)
        default:
            return
        }
        settle()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    private func decide(_ head: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID, at now: NIODeadline) {
        let responder = makeResponder()
        let hasTooManyFields = head.headers.count > MultiplexLimits.fields
        if !hasTooManyFields, head.endStream, var get = PlainGet(head.headers, maximumBytes: maximumHeadBytes) {
            (get.client, get.clientAddress, get.protocolName) = (client, address, Self.protocolName)
            if let answer = responder.prepared(for: get) {
                return write(HPACKHeaders(answer, date: date.text(at: answer.time)), answer.body, on: id)
            }
        }
        if hasTooManyFields || head.headers.byteCount > maximumHeadBytes {
            return write(responder.rejection(.requestHeaderFieldsTooLarge), on: id)
        }
        guard var request = Request(head.headers, client: client, isSecure: isSecure) else {
            return write(responder.rejection(.badRequest), on: id)
        }
        request.network = network
        request.clientAddress = address
        request.protocolName = Self.protocolName
        let asked = StreamTable.Asked(responder: responder, request: request, since: now)
        let verdict = responder.verdict(on: request)
        if case .body = verdict, !head.endStream, request.expectsInvitation {
            write(.headers(.init(headers: [":status": "100"])), on: id)
        }
        perform(streams.decided(verdict, about: asked, on: id, at: now), on: id)
    }

    private func perform(_ action: StreamTable.Action, on id: HTTP2StreamID) {
        switch action {
        case .nothing, .decide: return
        case .answer(let asked, let reply): answer(asked, reply, on: id)
        case .refuse: write(.rstStream(.protocolError), on: id)
        case .end: end()
        }
    }

    private func updated(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let window = event.inboundWindowSize, let more = streams.increment(on: event.streamID, window: window)
        else { return }
        write(.windowUpdate(windowSizeIncrement: more), on: event.streamID)
    }

    // MARK: Writing

    func write(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
    }

    /// Ends a stream that is still open.
    func reset(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard streams.contains(id) else { return }
        write(.rstStream(code), on: id)
        context?.flush()
    }

    // MARK: Ends

    /// Ends the connection of a client that breaks the rules, and all its streams.
    ///
    /// It learns the last stream: the server may have acted on this request and those before it, and the client must
    /// not repeat them by itself (RFC 9113 § 6.8).
    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        for cancel in streams.closedAll() { cancel() }
        settle()
        write(.goAway(lastStreamID: streams.lastStream, errorCode: .enhanceYourCalm, opaqueData: nil), on: .rootStream)
        context?.flush()
        context?.close(promise: nil)
    }

    private func closed(_ id: HTTP2StreamID) {
        let (cancel, turn) = streams.closed(id, at: eventLoop.now)
        cancel?()
        if let turn { read(turn.reading, on: turn.id) }
        settle()
    }

    /// Tells the client to send no more requests on this connection (RFC 9113 § 6.8).
    ///
    /// It learns the last answered request once its answer to the PING shows that it sends no others.
    private func quiesce() {
        guard !hasEnded else { return }
        if streams.quiesces(at: eventLoop.now) {
            write(.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil), on: .rootStream)
            write(.ping(HTTP2PingData(), ack: false), on: .rootStream)
        }
        // These were not processed: the client may repeat them at once, on another connection (§ 8.7).
        for id in streams.waiting { write(.rstStream(.refusedStream), on: id) }
        context?.flush()
        settle()
    }

    /// Completes each event: reports if a request is under way, sets the timer, and ends the connection when due.
    func settle() {
        if streams.isAsked != isAsked {
            isAsked.toggle()
            if isAsked { pass.began() } else { pass.becameIdle() }
        }
        guard context != nil else { return }
        if streams.earliest < timerEnd {
            timer?.cancel()
            timerEnd = streams.earliest
            timer = eventLoop.assumeIsolated().scheduleTask(deadline: timerEnd) { [self] in check() }
        }
        if streams.ends() {
            // The last frame may not be flushed yet.
            eventLoop.assumeIsolated().execute { [self] in self.context?.close(promise: nil) }
        }
    }

    private func check() {
        guard let context else { return }
        timerEnd = .distantFuture
        let now = eventLoop.now
        let isIdle = streams.isIdle(at: now)
        if isIdle, streams.isEnding {
            context.close(promise: nil)
        } else if isIdle {
            // The client is told, but may have sent another request meanwhile.
            context.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        for (id, cause) in streams.overdue(at: now) {
            switch cause {
            case .body(let asked): write(asked.responder.rejection(.requestTimeout), on: id)
            case .taking: reset(id, .cancel)
            }
        }
        context.flush()
        settle()
    }
}
