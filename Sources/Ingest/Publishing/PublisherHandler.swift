import NIOCore
import RTMP

/// The connection of one publisher: does what its ``PublishSession`` says.
final class PublisherHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: PublishingServer
    private let connection: Int
    private var session = PublishSession()
    private var file = FLVWriter()
    private var feed: PublishedFeed?
    private var deadline: Scheduled<Void>?

    /// How long it may take to say what is published, or to hang up.
    private static let patience = TimeAmount.seconds(10)

    init(server: PublishingServer, connection: Int) {
        self.server = server
        self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
        closeLater(context.channel)
    }

    private func closeLater(_ channel: any Channel) {
        deadline?.cancel()
        deadline = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    /// Nothing follows of what was published, and somebody else may publish it.
    private func leave() {
        feed?.finish()
        feed = nil
        server.ended(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let progress = session.progress
        do throws(RTMPError) {
            perform(try session.read(unwrapInboundIn(data)), context)
        } catch {
            return refuse(context, because: error.description)
        }
        if session.progress > progress { server.advanced(connection) }
        // Answers are short and few: whoever leaves so many of them lying never reads.
        if !context.channel.isWritable { refuse(context, because: "it does not read what it is answered") }
    }

    private func refuse(_ context: ChannelHandlerContext, because reason: String) {
        server.refused(context.channel, reason: reason)
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
            case .media(let message): file.write(message, to: &media)
            case .requested(let request):
                send(&answers, context)
                answer(request, context)
            case .ended:
                // What came before it still counts.
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
        context.writeAndFlush(wrapOutboundOut(answers), promise: nil)
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
            do throws(RTMPError) {
                perform(try session.accept(), context)
            } catch {
                refuse(context, because: error.description)
            }
        case .failure(let refused):
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(session.refuse(refused.refusal)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
