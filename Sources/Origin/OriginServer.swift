import Glibc
package import HTTPServing
package import Logging
package import MediaCore
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The public face: answers from the channels' presentations, on event loops of its own.
///
/// Nothing of a request waits for a thread that does something else: reading, answering and writing happen on the
/// connection's event loop, and what takes long is done on the thread pool.
package struct OriginServer: Service {
    package let counters: OriginCounters
    package let gate: ConnectionGate
    private let configuration: OriginConfiguration
    package let responder: OriginResponder
    private let date = DateField()
    private let now: @Sendable () -> MediaTime
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and what clients may do.
    ///   - channels: The first is the one that `/` shows.
    ///   - counters: Where requests are counted.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets one line for each request, for debugging.
    ///   - onLimit: Told once when a limit begins to cost connections, and once when it no longer does.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: OriginConfiguration,
        channels: [OriginChannel],
        counters: OriginCounters = OriginCounters(),
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.counters = counters
        self.configuration = configuration
        self.now = now
        self.onRunning = onRunning
        gate = ConnectionGate(
            limits: .init(
                total: configuration.maximumConnections,
                perAddress: configuration.maximumConnectionsPerAddress
            ),
            onNews: onLimit
        )
        responder = OriginResponder(channels: channels, counters: counters, log: AccessLog(logger: logger), now: now)
    }

    /// Serves until shut down.
    ///
    /// - Throws: ``OriginError``.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let server: any Channel
        do {
            server = try await bind(group, quiescing)
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)))
        } catch let error as SocketAddressError.UnknownHost {
            throw cannotListen(error.errorDescription)
        }
        let ended = server.eventLoop.makePromise(of: Void.self)
        // A socket that the system has taken away accepts nobody any more: whoever runs this service has to know.
        server.closeFuture.whenComplete { _ in quiescing.initiateShutdown(promise: ended) }
        await withTaskCancellationOrGracefulShutdownHandler {
            await onRunning(server.localAddress?.port ?? configuration.port)
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: ended)
        }
        if !Task.isCancelled, !Task.isShuttingDownGracefully {
            throw OriginError.stoppedListening(host: configuration.host, port: configuration.port)
        }
    }

    private func bind(
        _ group: MultiThreadedEventLoopGroup,
        _ quiescing: ServerQuiescingHelper
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            // The kernel makes it what the system allows. Who does not get in tries again after a second only.
            .serverChannelOption(.backlog, value: 65_535)
            .serverChannelOption(.maxMessagesPerRead, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [gate] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        AcceptHandler(gate: gate),
                        quiescing.makeServerChannelHandler(channel: channel)
                    )
                }
            }
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try setUp(channel) } }
            .bind(host: configuration.host, port: configuration.port).get()
    }

    /// The pipeline of one HTTP/1.1 connection.
    private func setUp(_ channel: any Channel) throws {
        guard let pass = gate.admit(channel) else { return channel.close(promise: nil) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addRequestHandlers(
            timeouts: configuration.timeouts,
            maximumHeadBytes: configuration.maximumHeadBytes
        )
        try pipeline.addHandler(
            RequestHandler(responder: responder, configuration: configuration, pass: pass, date: date, now: now)
        )
    }

    private func cannotListen(_ reason: String) -> OriginError {
        .cannotListen(host: configuration.host, port: configuration.port, reason: reason)
    }
}
