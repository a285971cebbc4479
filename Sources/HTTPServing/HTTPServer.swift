import Files
import Glibc
package import MediaCore
import NIOCore
import NIOExtras
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// A server of HTTP/1.1, and of HTTP/2 over TLS: it listens, accepts connections up to a limit, and ends in good order.
///
/// Each listener answers with a separate ``Responder``; this type holds only the parts that all listeners share.
package struct HTTPServer: Sendable {
    package struct Configuration: Hashable, Sendable {
        /// A host name or an address of this machine.
        var host: String
        /// 0 takes a free one.
        var port: Int
        var limits: ConnectionGate.Table.Limits
        var timeouts: ConnectionTimeouts
        /// Bytes of all header fields of a request, and of its target.
        var maximumHeadBytes: Int
        /// Bytes of a body that no answer depends on, which is thrown away: after more the connection is closed.
        var maximumBodyBytes: Int
        /// A listening socket from another process; nil if there is none.
        package var inherited: CInt?

        package init(
            host: String,
            port: Int,
            limits: ConnectionGate.Table.Limits,
            timeouts: ConnectionTimeouts,
            maximumHeadBytes: Int,
            maximumBodyBytes: Int
        ) {
            self.host = host
            self.port = port
            self.limits = limits
            self.timeouts = timeouts
            self.maximumHeadBytes = maximumHeadBytes
            self.maximumBodyBytes = maximumBodyBytes
        }
    }

    /// Adds the handlers that read and answer the requests of a connection.
    private typealias SetUp = @Sendable (any Channel, ServedConnection, _ isMultiplexed: Bool) throws -> Void

    package let gate: ConnectionGate
    package let socket = ServerSocket()
    private let configuration: Configuration
    private let certificate: ServerCertificate.Followed?
    private let date = DateField()
    private let now: @Sendable () -> MediaTime

    /// Serves nothing before ``run(onRunning:responder:)``.
    ///
    /// - Parameters:
    ///   - configuration: The address to listen at, and the limits of clients.
    ///   - certificate: The certificate, where connections are encrypted; each gets the one of its time.
    ///   - now: UTC, counted from 1970.
    ///   - onLimit: Called once when a limit begins to cost connections, and once when it no longer does.
    package init(
        _ configuration: Configuration,
        certificate: ServerCertificate.Followed? = nil,
        now: @escaping @Sendable () -> MediaTime,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void
    ) {
        self.configuration = configuration
        self.certificate = certificate
        self.now = now
        gate = ConnectionGate(limits: configuration.limits, onNews: onLimit)
    }

    /// Serves until the task is cancelled or shut down.
    ///
    /// Then answers under way are finished within their timeout, and all connections are closed.
    ///
    /// - Parameters:
    ///   - onRunning: Called with the bound port once requests are answered.
    ///   - responder: Answers the requests of a connection that was let in; of HTTP/2, one request, as others are asked
    ///     at the same time.
    /// - Throws: ``ServerError``.
    package func run(
        onRunning: @Sendable (_ port: Int) async -> Void,
        responder: @escaping @Sendable (ServedConnection) -> any Responder
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let initializer = initializer(setUp(responder))
        let quiescing = ServerQuiescingHelper(group: group)
        let server: any Channel
        do {
            server = try await bind(group, quiescing, initializer)
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)))
        } catch let error as SocketAddressError.UnknownHost {
            throw cannotListen(error.errorDescription)
        }
        let ended = server.eventLoop.makePromise(of: Void.self)
        // It waits for the answers under way only if the socket is still open.
        let shutDown: @Sendable () -> Void = { quiescing.initiateShutdown(promise: ended) }
        socket.opened(server, initializer, shutDown: shutDown)
        // A socket that the system has closed accepts no connections any more, and the server's owner must know.
        server.closeFuture.whenComplete { _ in shutDown() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await onRunning(server.localAddress?.port ?? configuration.port)
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            shutDown()
        }
        // A process that has handed the socket over ends on request.
        if socket.isRetired { try? await gracefulShutdown() }
        if !Task.isCancelled, !Task.isShuttingDownGracefully {
            throw ServerError.stoppedListening(host: configuration.host, port: configuration.port)
        }
    }

    /// Sets connections up with handlers that answer by a responder.
    private func setUp(_ responder: @escaping @Sendable (ServedConnection) -> any Responder) -> SetUp {
        { [configuration, date, now] channel, connection, isMultiplexed in
            let pipeline = channel.pipeline.syncOperations
            if isMultiplexed {
                let handler = MultiplexHandler(
                    connection: connection,
                    eventLoop: channel.eventLoop,
                    timeouts: configuration.timeouts,
                    maximumHeadBytes: configuration.maximumHeadBytes,
                    date: date,
                    now: now
                ) { responder(connection) }
                return try pipeline.addMultiplexer(handler, maximumHeadBytes: configuration.maximumHeadBytes)
            }
            let handler = RequestHandler(
                responder: responder(connection),
                connection: connection,
                configuration: configuration,
                date: date,
                now: now
            )
            try pipeline.addRequestDecoder(maximumHeadBytes: configuration.maximumHeadBytes)
            try pipeline.addHandler(handler)
            try pipeline.handler(type: ConnectionHandler.self).requests = handler
        }
    }

    /// Calls `pulse` once every event loop with connections has responded.
    package func beat(_ pulse: @escaping @Sendable () -> Void) {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        guard let first = loops.first else { return }
        EventLoopFuture.andAllComplete(loops.map { $0.submit {} }, on: first).whenComplete { _ in pulse() }
    }

    private func bind(
        _ group: MultiThreadedEventLoopGroup,
        _ quiescing: ServerQuiescingHelper,
        _ initialize: @escaping ServerSocket.Initializer
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            // The kernel reduces it to the system's limit. A client that does not fit retries only after a second.
            .serverChannelOption(.backlog, value: 65_535)
            .serverChannelOption(.maxMessagesPerRead, value: UInt(configuration.limits.leaving))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [gate] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        AcceptHandler(gate: gate),
                        quiescing.makeServerChannelHandler(channel: channel),
                        AdoptionHandler()
                    )
                }
            }
            .childChannelInitializer(initialize)
        let listening =
            configuration.inherited.map { bootstrap.withBoundSocket($0) }
            ?? bootstrap.bind(host: configuration.host, port: configuration.port)
        return try await listening.get()
    }

    /// Admits a connection and sets it up.
    private func initializer(_ setUp: @escaping SetUp) -> ServerSocket.Initializer {
        { [gate, socket, certificate, configuration] channel in
            channel.eventLoop.makeCompletedFuture {
                guard let pass = gate.admit(channel) else { return channel.close(promise: nil) }
                // A TLS session cannot be handed over, and stays in this process.
                if let certificate { return try prepare(channel, pass, certificate.value, setUp) }
                let handler = ConnectionHandler(
                    timeouts: configuration.timeouts,
                    isRetired: { socket.isRetired },
                    successor: { socket.successor }
                )
                try channel.pipeline.syncOperations.addHandler(handler)
                try setUp(channel, ServedConnection(pass: pass, isSecure: false), false)
            }
        }
    }

    /// Prepares an encrypted connection, whose handshake decides the protocol (RFC 7301).
    private func prepare(
        _ channel: any Channel,
        _ pass: ConnectionGate.Pass,
        _ certificate: ServerCertificate,
        _ setUp: @escaping SetUp
    ) throws {
        let encryption = NIOSSLServerHandler(context: certificate.context)
        let handshake = HandshakeHandler(timeout: configuration.timeouts.handshake) { negotiated in
            let client = encryption.peerCertificate.map(\.serialNumber.hex)
            let connection = ServedConnection(pass: pass, isSecure: true, clientCertificate: client)
            try setUp(channel, connection, negotiated == "h2")
        }
        // An encrypted connection cannot be handed over, because its TLS state stays in this process.
        let connection = ConnectionHandler(
            timeouts: configuration.timeouts,
            isEncrypted: true,
            isRetired: { [socket] in socket.isRetired }
        )
        try channel.pipeline.syncOperations.addHandlers(SocketCloser(), encryption, connection, handshake)
    }

    private func cannotListen(_ reason: String) -> ServerError {
        .cannotListen(host: configuration.host, port: configuration.port, reason: reason)
    }
}
