import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct ConnectionHandlerTests {
    /// A connection that is accepted as the server closes is never active, so that nothing that is written ever leaves.
    @Test func whoComesWhenTheServerEndsIsClosed() async throws {
        let timeouts = ConnectionTimeouts(write: .seconds(600), linger: .seconds(600), shutdown: .seconds(600))
        let group = MultiThreadedEventLoopGroup.singleton
        let listening = group.next().makePromise(of: (any Channel).self)
        let server = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(timeouts: timeouts))
                }.and(listening.futureResult.flatMap { $0.close() }).map { _ in }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: try #require(server.localAddress)).get()
        listening.succeed(server)
        _ = try await eventually(within: 60, "the connection ends") { client.isActive ? nil : true }
    }

    /// A socket whose client takes nothing for now.
    private final class FullSocket: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        var reads = 0
        private var sent: EventLoopPromise<Void>?

        func read(context: ChannelHandlerContext) { reads += 1 }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) { sent = promise }

        func flush(context: ChannelHandlerContext) {}

        /// The client has taken it all.
        func empty() { sent?.succeed(()) }
    }

    /// The kernel has room for what a client sends that takes no answer; the process has not.
    @Test func nothingIsReadWhileAConnectionIsHandedOver() throws {
        let timeouts = ConnectionTimeouts(write: .seconds(600), linger: .seconds(600), shutdown: .seconds(600))
        let (channel, socket) = (EmbeddedChannel(), FullSocket())
        let handler = ConnectionHandler(timeouts: timeouts, successor: { { _ in } })
        try channel.pipeline.syncOperations.addHandlers(socket, handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let before = socket.reads
        channel.read()
        #expect(socket.reads == before + 1)
        channel.triggerUserOutboundEvent(Handover.Due(), promise: nil)
        channel.read()
        #expect(socket.reads == before + 1)
        socket.empty()
        #expect(!channel.isActive)
    }
}
