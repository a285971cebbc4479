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
        server.left(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(RTMPError) {
            perform(try session.read(unwrapInboundIn(data)), context)
        } catch {
            context.close(promise: nil)
        }
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
        for action in actions {
            switch action {
            case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .media(let message): file.write(message, to: &media)
            case .requested(let request): answer(request, context)
            case .ended:
                // What came before it still counts.
                deliver(media, context)
                media.clear()
                leave()
                closeLater(context.channel)
            }
        }
        deliver(media, context)
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
                context.close(promise: nil)
            }
        case .failure(let refused):
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(session.refuse(refused.refusal)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
