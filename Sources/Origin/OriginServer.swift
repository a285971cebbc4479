import Glibc
import Hummingbird
import HummingbirdCore
package import Logging
package import MediaCore
import NIOCore
import ServiceLifecycle

/// The public face: a Hummingbird application over the channels' presentations.
package struct OriginServer: Service {
    package let counters: OriginCounters
    private let origin: OriginConfiguration
    let application: Application<OriginResponder>

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and what clients may do.
    ///   - channels: The first is the one that `/` shows.
    ///   - counters: Where requests are counted.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets one line for each request.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: OriginConfiguration,
        channels: [OriginChannel],
        counters: OriginCounters = OriginCounters(),
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.counters = counters
        origin = configuration
        var serverLogger = logger
        // Hummingbird reports its own start at `info`, which says nothing that the caller does not say.
        serverLogger.logLevel = max(logger.logLevel, .critical)
        application = Application(
            responder: OriginResponder(
                channels: channels,
                maximumBodyBytes: configuration.maximumBodyBytes,
                counters: counters,
                log: AccessLog(logger: logger),
                now: now
            ),
            server: HTTPServerBuilder { OriginHTTPChannel(responder: $0, configuration: configuration) },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "packager",
                backlog: 1024,
                availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: serverLogger)
            ),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? configuration.port) },
            logger: serverLogger
        )
    }

    /// Serves until shut down.
    ///
    /// - Throws: ``OriginError/cannotListen(host:port:reason:)``.
    package func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)))
        } catch let error as SocketAddressError.UnknownHost {
            throw cannotListen(error.errorDescription)
        }
    }

    private func cannotListen(_ reason: String) -> OriginError {
        .cannotListen(host: origin.host, port: origin.port, reason: reason)
    }
}
