import Glibc
import NIOCore
import NIOTLS

/// Guards one connection at the level of bytes: answers reach the client, and every connection ends in time.
///
/// Other handlers close a connection at a shutdown, when it is idle, or after its last answer. Bytes may still wait to
/// be sent then, and an answer would be cut off. So every close waits here until everything written before it is sent,
/// and the client takes a little of it in each ``ConnectionTimeouts/write``. After this side has closed its half, bytes
/// from the client are thrown away for ``ConnectionTimeouts/linger``. Closing at once would reset the connection, and
/// with it an answer that the client has not read yet (RFC 9112 § 9.6).
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Asks for an end of the connection once all written bytes are sent, because another has its place.
    struct Displaced {}

    /// Asks for an end of the connection at once: an answer cannot be completed, and its client must notice.
    struct Broken {}

    /// The fewest bytes of a long answer that a client takes in ``ConnectionTimeouts/write``: 140 kbit/s over a minute.
    static let leastProgress = 1 << 20

    private let writeTimeout: TimeAmount
    private let leaveTime: TimeAmount
    private let lingerTime: TimeAmount
    private let shutdownTimeout: TimeAmount
    private let retirementTime: TimeAmount
    private let isEncrypted: Bool
    /// True until the TLS handshake is complete: nothing can be sent before that, so nothing is waited for.
    private var isHandshaking: Bool
    private var isClosing = false
    /// The last time at which the client had taken enough of the written bytes, and those that waited then; nil while
    /// few wait.
    private var stall: (since: NIODeadline, unsent: Int)?
    /// Runs for ``ConnectionTimeouts/write`` from the first stall on, however short that was, and finds out if it
    /// lasts.
    private var stallCheck: Scheduled<Void>?
    /// Runs once the connection is to end.
    private var ending: Scheduled<Void>?
    private var endDeadline = NIODeadline.distantFuture
    /// True if the last bytes read may end a request's head, so that the decoder holds nothing of another request.
    private var mayEndHead = true
    /// Answers simple requests in front of the parser; nil for other protocols than HTTP/1.1.
    var requests: RequestHandler?
    /// True if the bytes read since the last flush were answered here, and if some were passed on.
    private var (hasAnswered, hasPassedOn) = (false, false)
    /// The bytes of a read that was under way when the connection began to be handed over.
    private var unread: ByteBuffer?
    /// Gets connections once the server has a successor; nil before, or if this connection cannot be handed over.
    private let successor: () -> (@Sendable (Handover.Connection) -> Void)?
    /// Returns true if another process has taken over from the server.
    private let isRetired: () -> Bool

    /// - Parameters:
    ///   - timeouts: The times that a client may take.
    ///   - isEncrypted: True if TLS, and a ``SocketCloser`` before it, are in front of it.
    ///   - isRetired: Returns true if another process has taken over from the server.
    ///   - successor: Returns the function that takes over connections when the server shuts down; nil if they are
    ///     closed.
    init(
        timeouts: ConnectionTimeouts,
        isEncrypted: Bool = false,
        isRetired: @escaping () -> Bool = { false },
        successor: @escaping () -> (@Sendable (Handover.Connection) -> Void)? = { nil }
    ) {
        self.successor = successor
        self.isRetired = isRetired
        self.isEncrypted = isEncrypted
        isHandshaking = isEncrypted
        retirementTime = TimeAmount(ConnectionTimeouts.retirement)
        writeTimeout = TimeAmount(timeouts.write)
        leaveTime = TimeAmount(timeouts.leave)
        lingerTime = TimeAmount(timeouts.linger)
        shutdownTimeout = TimeAmount(timeouts.shutdown)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stallCheck?.cancel()
        ending?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if unread != nil {
            var bytes = unwrapInboundIn(data)
            unread?.writeBuffer(&bytes)
        } else if !isClosing {
            let bytes = unwrapInboundIn(data)
            if mayEndHead, let requests, requests.answers(bytes, context) { return hasAnswered = true }
            mayEndHead = bytes.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
            hasPassedOn = true
            context.fireChannelRead(data)
        }
    }

    func read(context: ChannelHandlerContext) {
        // During a handover, bytes wait in the kernel for the next reader. Otherwise a client that takes no answer
        // could continue sending until its timeout.
        if unread == nil { context.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        defer { (hasAnswered, hasPassedOn) = (false, false) }
        // The other handlers flush their answers, and these bytes with them.
        if hasAnswered, !hasPassedOn { context.flush() } else { context.fireChannelReadComplete() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            stall = nil
            // The remaining bytes are too few for the stall check, so a timeout limits them.
            if isClosing { end(within: writeTimeout, context) }
        } else {
            stall = (context.eventLoop.now, unsentBytes(context))
            if stallCheck == nil { checkStall(after: writeTimeout, context) }
        }
        context.fireChannelWritabilityChanged()
    }

    private func checkStall(after time: TimeAmount, _ context: ChannelHandlerContext) {
        stallCheck = schedule(after: time, context) { [self] in
            stallCheck = nil
            guard let stall else { return }
            var left = stall.since + writeTimeout - context.eventLoop.now
            if left <= .zero {
                let unsent = unsentBytes(context)
                guard stall.unsent - unsent >= Self.leastProgress else { return reset(context) }
                self.stall = (context.eventLoop.now, unsent)
                left = writeTimeout
            }
            checkStall(after: left, context)
        }
    }

    /// Returns the bytes that the kernel has not taken yet.
    private func unsentBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { isHandshaking = false }
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        // A successor runs already, and nobody waits for the last answers.
        end(within: isRetired() ? retirementTime : shutdownTimeout, context)
        if successor() == nil || isClosing {
            context.fireUserInboundEventTriggered(event)
        } else {
            context.fireUserInboundEventTriggered(Handover.Wanted())
        }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        if let event = event as? Handover.Due { return handOver(event.request, promise, context) }
        if event is Broken {
            promise?.succeed(())
            return reset(context)
        }
        guard event is Displaced else { return context.triggerUserOutboundEvent(event, promise: promise) }
        isClosing = true
        // New connections are not accepted while too many of these are open.
        end(within: leaveTime, context)
        whenSent(context) { self.closeAtOnce(context, promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // A connection accepted while the server closes never becomes active, and never sends its writes.
        guard mode != .input, context.channel.isActive else { return context.close(mode: mode, promise: promise) }
        isClosing = true
        // A stall has a check of its own: a long answer may take a slow client minutes.
        if stall == nil { end(within: writeTimeout, context) }
        whenSent(context) {
            self.end(within: self.lingerTime, context)
            context.close(mode: mode, promise: promise)
        }
    }

    /// Hands the connection over, once all written bytes are sent.
    ///
    /// - Parameters:
    ///   - request: The head of a request that has no answer yet.
    ///   - taken: Succeeds if the connection is handed over, or closed.
    ///   - context: The place in the pipeline.
    private func handOver(_ request: ByteBuffer, _ taken: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        guard let successor = successor(), !isClosing, mayEndHead, unread == nil else {
            taken?.fail(ChannelError.operationUnsupported)
            return
        }
        unread = request
        taken?.succeed(())
        whenSent(context) {
            // Nothing is read from here to the end of the connection: bytes of the client wait for the next reader.
            let copy = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: CInt) in
                fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            }
            if !self.isClosing, let copy, copy >= 0 {
                successor(Handover.Connection(descriptor: copy, bytes: self.unread ?? ByteBuffer()))
            }
            self.isClosing = true
            // The client's connection lives on with the copy.
            context.close(mode: .all, promise: nil)
        }
    }

    /// Runs a task once everything written has been sent, at once if nothing waits.
    private func whenSent(_ context: ChannelHandlerContext, _ task: @escaping () -> Void) {
        if isHandshaking { return task() }
        // An empty write is done when all that was written before it is.
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in task() }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
    }

    /// Ends the connection after this time, unless it ends sooner.
    private func end(within time: TimeAmount, _ context: ChannelHandlerContext) {
        let deadline = NIODeadline.now() + time
        guard deadline < endDeadline, context.channel.isActive else { return }
        endDeadline = deadline
        ending?.cancel()
        ending = schedule(after: time, context) { [self] in closeAtOnce(context) }
    }

    /// Closes at once and drops unsent bytes; otherwise the kernel would keep offering them to a stalled client.
    private func reset(_ context: ChannelHandlerContext) {
        let options = context.channel as? any SocketOptionProvider
        _ = options?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        closeAtOnce(context)
    }

    /// Closes without waiting for the client, for which TLS would.
    private func closeAtOnce(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
        context.close(mode: .all, promise: promise)
        if isEncrypted { context.triggerUserOutboundEvent(SocketCloser.Due(), promise: nil) }
    }

    private func schedule(
        after time: TimeAmount,
        _ context: ChannelHandlerContext,
        _ task: @escaping () -> Void
    ) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time, task)
    }
}
