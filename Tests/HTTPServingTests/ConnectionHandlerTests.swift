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

    /// A connection whose client takes bytes slowly.
    private final class SlowConnection {
        /// Sends nothing until it is told to, and the empty write of a close not before the end of the test.
        private final class Socket: ChannelOutboundHandler {
            typealias OutboundIn = IOData

            var isSending = false
            var closing: EventLoopPromise<Void>?

            func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
                if unwrapOutboundIn(data).readableBytes > 0 {
                    context.write(data, promise: promise)
                } else {
                    closing = promise
                }
            }

            func flush(context: ChannelHandlerContext) {
                if isSending { context.flush() }
            }
        }

        let channel = EmbeddedChannel()
        private let socket = Socket()

        init(isRetired: Bool = false) throws {
            let timeouts = ConnectionTimeouts(write: .seconds(60), linger: .seconds(1), shutdown: .seconds(10))
            let handler = ConnectionHandler(timeouts: timeouts, isRetired: { isRetired })
            try channel.pipeline.syncOperations.addHandlers(socket, handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Lets so many bytes wait to be sent.
        func waits(_ bytes: Int) {
            socket.isSending = true
            channel.flush()
            socket.isSending = false
            if bytes > 0 { channel.write(ByteBuffer(repeating: 0, count: bytes), promise: nil) }
            guard channel.isWritable != (bytes < 65_536) else { return }
            channel.isWritable.toggle()
            channel.pipeline.fireChannelWritabilityChanged()
        }

        deinit { socket.closing?.succeed() }

        func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
    }

    /// A segment or clip of 64 MB takes a client on a slow line minutes.
    @Test(arguments: [false, true]) func aClientThatTakesBytesSlowlyKeepsItsConnection(isClosing: Bool) throws {
        let connection = try SlowConnection()
        connection.waits(64 << 20)
        if isClosing { connection.channel.close(promise: nil) }
        for megabytes in (1..<20).reversed() {
            connection.waits(megabytes << 20)
            connection.wait(60)
            #expect(connection.channel.isActive, "\(megabytes) MiB")
        }
        connection.waits(1_000)
        connection.wait(59)
        #expect(connection.channel.isActive)
        connection.wait(1)
        // The last bytes of a connection that closes have their time as well.
        #expect(connection.channel.isActive == !isClosing)
    }

    /// Nobody waits for a process that another one has taken over from.
    @Test(arguments: [false, true]) func aLongAnswerOutlivesAnUpgradeButNoShutdown(isRetired: Bool) throws {
        let connection = try SlowConnection(isRetired: isRetired)
        connection.waits(64 << 20)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.wait(55)
        #expect(connection.channel.isActive == isRetired)
        connection.wait(6)
        #expect(!connection.channel.isActive)
    }

    @Test(arguments: [0, ConnectionHandler.leastProgress - 1], [false, true])
    func aClientThatTakesAlmostNothingIsReset(taken: Int, isClosing: Bool) throws {
        let connection = try SlowConnection()
        connection.waits(64 << 20)
        if isClosing { connection.channel.close(promise: nil) }
        connection.wait(59)
        connection.waits(64 << 20 - taken)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }
}
