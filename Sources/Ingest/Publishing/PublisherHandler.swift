import Glibc
import NIOCore
import Publishing

/// The connection of one publisher: carries out the actions of its ``PublishSession``.
final class PublisherHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: PublishingServer
    private let connection: Int
    private var session = PublishSession()
    private var file = FLVWriter()
    private var replayBuffer = PublishReplayBuffer()
    private var feed: PublishedFeed?
    private var deadline: Scheduled<Void>?
    private var channel: (any Channel)?
    /// Answers that have not left.
    private var unsent = 0

    /// The time for a publisher to request a stream, or to hang up.
    private static let patience = TimeAmount.seconds(10)

    init(server: PublishingServer, connection: Int) {
        self.server = server
        self.connection = connection
    }

    /// Continues with the data of another process, or of another reader.
    ///
    /// - Parameters:
    ///   - server: The server that has the connection here.
    ///   - connection: Its number there.
    ///   - publisher: The publisher's connection and state.
    ///   - feed: Gets the kept data at once.
    convenience init(
        server: PublishingServer,
        connection: Int,
        goingOnWith publisher: HandedPublisher,
        _ feed: PublishedFeed
    ) {
        self.init(server: server, connection: connection)
        (session, replayBuffer) = (publisher.session, publisher.replayBuffer)
        var media = ByteBuffer()
        for message in replayBuffer.playback { file.write(message, to: &media) }
        if HandedPublishers.areKept { replayBuffer.resume() } else { replayBuffer.stop() }
        self.feed = feed
        _ = feed.append(media)
    }

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

    func handlerRemoved(context: ChannelHandlerContext) { channel = nil }

    func channelActive(context: ChannelHandlerContext) {
        guard let feed else { return closeLater(context.channel) }
        // A connection that was handed over is not read before.
        publishes(context)
        if feed.hasRoom { context.channel.setOption(.autoRead, value: true).whenComplete { _ in } }
    }

    private func publishes(_ context: ChannelHandlerContext) {
        server.began(connection, NIOLoopBound(self, eventLoop: context.eventLoop))
        if HandedPublishers.areKept, !replayBuffer.isRunning { startBuffering() }
    }

    // MARK: Handover

    /// The socket that it came to, and its stream; nil if it publishes none.
    var address: PublishingAddress? { server.address(of: connection) }

    func startBuffering() { replayBuffer.start() }

    func stopBuffering() { replayBuffer.stop() }

    /// A reason against handing a connection over.
    struct Obstacle: Error {
        /// The obstacle in one phrase, without keys.
        var description: String
    }

    /// Hands the connection to the caller: it is no longer read here.
    func part() -> Result<HandedPublisher, Obstacle> {
        guard let channel, let feed, let peer = channel.remoteAddress, let address else {
            return .failure(Obstacle(description: "that was about to end its stream"))
        }
        let place = PublishingAddress.SocketEndpoint(host: peer.ipAddress ?? "", port: peer.port ?? 0)
        let name = "\(place.host) port \(place.port)"
        guard session.isPublishing else {
            return .failure(Obstacle(description: "at \(name), which was about to end its stream"))
        }
        // The successor would send a partly sent answer again from its beginning.
        guard unsent == 0 else {
            return .failure(Obstacle(description: "at \(name), which does not read the packager's answers"))
        }
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: CInt) in
            fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        }
        guard let copy, copy >= 0 else {
            return .failure(Obstacle(description: "at \(name), because no file descriptor is free"))
        }
        feed.handOver()
        self.feed = nil
        let publisher = HandedPublisher(
            copy,
            address: address,
            peer: place,
            session: session,
            replayBuffer: replayBuffer
        )
        // The encoder's connection lives on with the copy.
        channel.close(promise: nil)
        return .success(publisher)
    }

    // MARK: Connection

    private func closeLater(_ channel: any Channel) {
        deadline?.cancel()
        deadline = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    /// Ends the publication, so that another encoder may publish the stream.
    private func leave() {
        feed?.finish()
        feed = nil
        server.ended(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let progress = session.progress
        let bytes = unwrapInboundIn(data)
        guard advance(context, { (session, actions) throws(RTMPError) in try session.read(bytes, into: &actions) })
        else {
            return
        }
        if session.progress > progress { server.advanced(connection) }
        // Answers are short and few: a client with so many unread ones never reads.
        if !context.channel.isWritable { hangUp(context, because: "it does not read the answers") }
    }

    /// Carries out the actions of a step of the session; media before an error still counts.
    ///
    /// - Returns: False if the step has failed, and the connection is closed.
    @discardableResult
    private func advance(
        _ context: ChannelHandlerContext,
        _ step: (inout PublishSession, inout [PublishSession.Action]) throws(RTMPError) -> Void
    ) -> Bool {
        var actions: [PublishSession.Action] = []
        var fault: RTMPError?
        do throws(RTMPError) { try step(&session, &actions) } catch { fault = error }
        perform(actions, context)
        if let fault { hangUp(context, because: fault.description) }
        return fault == nil
    }

    private func hangUp(_ context: ChannelHandlerContext, because reason: String) {
        if feed == nil {
            server.refused(context.channel, reason: reason)
        } else {
            server.cutOff(connection, context.channel, reason: reason)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        leave()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ actions: [PublishSession.Action], _ context: ChannelHandlerContext) {
        var media = ByteBuffer()
        var answers = ByteBuffer()
        for action in actions {
            switch action {
            case .send(let bytes): answers.writeImmutableBuffer(bytes)
            case .media(let message):
                file.write(message, to: &media)
                replayBuffer.note(message)
            case .requested(let request):
                send(&answers, context)
                answer(request, context)
            case .ended:
                // Media before the end still counts.
                deliver(media, context)
                media.clear()
                leave()
                closeLater(context.channel)
            }
        }
        send(&answers, context)
        deliver(media, context)
    }

    private func send(_ answers: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard answers.readableBytes > 0 else { return }
        unsent += 1
        context.writeAndFlush(wrapOutboundOut(answers)).assumeIsolated().whenComplete { [self] _ in unsent -= 1 }
        answers = ByteBuffer()
    }

    private func deliver(_ media: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let feed, !feed.append(media) else { return }
        context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
    }

    private func answer(_ request: PublishRequest, _ context: ChannelHandlerContext) {
        switch server.requested(request, by: connection, on: context.channel) {
        case .success(let feed):
            deadline?.cancel()
            self.feed = feed
            publishes(context)
            advance(context) { (session, actions) throws(RTMPError) in try session.accept(into: &actions) }
        case .failure(let refused):
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(session.refuse(refused.refusal)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
