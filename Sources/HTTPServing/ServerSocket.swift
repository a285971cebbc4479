import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The listening socket of a server, which may come from another process, and go to another one.
package final class ServerSocket: Sendable {
    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private struct State {
        var server: (any Channel)?
        var initialize: Initializer?
        var shutDown: (@Sendable () -> Void)?
        var successor: (@Sendable (Handover.Connection) -> Void)?
        var isRetired = false
    }

    private let state = Mutex(State())

    /// Takes connections over; nil if they are closed instead.
    var successor: (@Sendable (Handover.Connection) -> Void)? { state.withLock { $0.successor } }

    /// True if the server accepts no more connections because it has a successor.
    var isRetired: Bool { state.withLock { $0.isRetired } }

    /// The server listens.
    ///
    /// - Parameters:
    ///   - server: The channel of the socket.
    ///   - initialize: Sets a connection up.
    ///   - shutDown: Closes the socket, and has connections end after their answers.
    func opened(
        _ server: any Channel,
        _ initialize: @escaping Initializer,
        shutDown: @escaping @Sendable () -> Void
    ) {
        state.withLock { ($0.server, $0.initialize, $0.shutDown) = (server, initialize, shutDown) }
    }

    /// A copy of its descriptor, which the caller has to close; nil if the server does not listen.
    package func copy() async -> CInt? {
        guard let server = state.withLock({ $0.server }) else { return nil }
        let copy = try? await server.eventLoop.submit {
            try server.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: CInt) in
                fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            }
        }.get()
        return copy.flatMap(\.self).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Stops accepting, because another process has the socket.
    ///
    /// Connections are handed over once they have no request.
    ///
    /// - Parameter successor: Takes over connections; nil if they are closed.
    package func retire(to successor: (@Sendable (Handover.Connection) -> Void)?) {
        let shutDown = state.withLock { state in
            (state.successor, state.isRetired) = (successor, true)
            return state.shutDown
        }
        shutDown?()
    }

    /// Continues with a connection of the process before this one.
    package func adopt(_ connection: Handover.Connection) {
        let (server, initialize) = state.withLock { ($0.server, $0.initialize) }
        guard let server, let initialize else {
            close(connection.descriptor)
            return
        }
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if connection.bytes.readableBytes > 0 {
                        try channel.pipeline.syncOperations.addHandler(EarlierBytes(connection.bytes))
                    }
                }.flatMap { initialize(channel) }
            }
            .withConnectedSocket(connection.descriptor)
            .whenSuccess { channel in
                // It is counted, and closed in the end, like those that the server has accepted.
                server.eventLoop.execute { server.pipeline.fireChannelRead(channel) }
            }
    }
}

/// Begins a connection with the bytes that another process has read.
private final class EarlierBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let bytes: ByteBuffer

    init(_ bytes: ByteBuffer) {
        self.bytes = bytes
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
    }
}

/// Keeps connections that were accepted by another process from being set up a second time.
final class AdoptionHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // An accepted connection is active only once it is set up.
        if !unwrapInboundIn(data).isActive { context.fireChannelRead(data) }
    }
}
