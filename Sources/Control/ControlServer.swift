import Glibc
package import HTTPServing
import Hummingbird
import HummingbirdCore
package import Logging
package import MediaCore
import NIOCore
package import Operations
import ServiceLifecycle

/// The operator face: a Hummingbird application over what channels say of themselves.
package struct ControlServer: Service {
    private let control: ControlConfiguration
    let application: Application<RouterResponder<BasicRequestContext>>

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and what clients may do.
    ///   - channels: In the order in which they are shown.
    ///   - origin: How the public face is.
    ///   - events: What happened in them.
    ///   - signal: Fired after each event.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets what the server has to complain about.
    ///   - onLimit: Told once when a limit begins to cost connections, and once when it no longer does.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: ControlConfiguration,
        channels: [any OperatedChannel],
        origin: @escaping @Sendable () -> OriginStatus,
        events: EventLog,
        signal: EventSignal,
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        control = configuration
        var serverLogger = logger
        // What Hummingbird reports, the caller says already, or is told as an error.
        serverLogger.logLevel = max(logger.logLevel, .critical)
        // There is no telling operators apart: they come from anywhere, through one proxy.
        let limits = ConnectionGate.Table.Limits(
            total: configuration.maximumConnections,
            perAddress: .max
        )
        let gate = ConnectionGate(limits: limits, onNews: onLimit)
        let routes = ControlRoutes(
            configuration: configuration,
            channels: channels,
            origin: origin,
            events: events,
            signal: signal,
            now: now
        )
        application = Application(
            responder: routes.router().buildResponder(),
            server: HTTPServerBuilder {
                ControlHTTPChannel(responder: $0, configuration: configuration, gate: gate)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "packager"
            ),
            onServerRunning: { channel in
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(AcceptHandler(gate: gate), position: .first)
                }.get()
                await onRunning(channel.localAddress?.port ?? configuration.port)
            },
            logger: serverLogger
        )
    }

    /// Serves until shut down.
    ///
    /// - Throws: ``ControlError/cannotListen(host:port:reason:)``.
    package func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)))
        } catch let error as SocketAddressError.UnknownHost {
            throw cannotListen(error.errorDescription)
        }
    }

    private func cannotListen(_ reason: String) -> ControlError {
        .cannotListen(host: control.host, port: control.port, reason: reason)
    }
}
