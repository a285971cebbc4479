package import HTTPServing
package import Logging
package import MediaCore
package import Operations
import ServiceLifecycle

/// The control API: an HTTP server with the state of channels, and commands to them.
package struct ControlServer: Service {
    let router: ControlRouter
    private let server: HTTPServer
    private let access: ControlAccess
    private let audit: ControlAudit
    private let signal: EventSignal
    private let now: @Sendable () -> MediaTime
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The address to listen at, and the limits of clients.
    ///   - certificate: The certificate, where connections are encrypted.
    ///   - access: The rights of clients.
    ///   - channels: Returns the present channels, in the order in which they are shown.
    ///   - origin: The state of the origin.
    ///   - events: The log of their events.
    ///   - archive: The archive of earlier events; nil if there is none.
    ///   - signal: Fired after each event; finished when the server shuts down.
    ///   - operated: The configuration of the process.
    ///   - upgrade: Forecasts which encoders an upgrade would cut off now.
    ///   - webhooks: The state of each webhook.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets the problems of the server.
    ///   - onLimit: Called once when a limit begins to cost connections, and once when it no longer does.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: ControlConfiguration,
        certificate: ServerCertificate.Followed? = nil,
        access: ControlAccess = ControlAccess(),
        channels: @escaping @Sendable () -> [any OperatedChannel],
        origin: @escaping @Sendable () -> OriginStatus,
        events: EventLog,
        archive: (any EventArchive)? = nil,
        signal: EventSignal,
        operated: any OperatedConfiguration,
        upgrade: @escaping @Sendable () -> UpgradeForecast,
        webhooks: @escaping @Sendable () -> [WebhookStatus] = { [] },
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.access = access
        self.signal = signal
        self.now = now
        self.onRunning = onRunning
        server = HTTPServer(
            configuration.server(requiresAuthentication: !access.isOpenToAll),
            certificate: certificate,
            now: now,
            onLimit: onLimit
        )
        let audit = ControlAudit(events: events, now: now, logger: logger)
        self.audit = audit
        let routes = ControlRoutes(
            configuration: configuration,
            channels: channels,
            origin: origin,
            history: EventHistory(events, archive: archive),
            signal: signal,
            operated: operated,
            upgrade: upgrade,
            webhooks: webhooks,
            audit: audit,
            now: now
        )
        router = ControlRouter(routes)
    }

    package var socket: ServerSocket { server.socket }

    /// Ends event streams, because another process has the socket.
    ///
    /// All other requests are answered, then their connections closed.
    ///
    /// - Parameter successor: Takes over idle connections.
    package func retire(to successor: @escaping @Sendable (Handover.Connection) -> Void) {
        server.socket.retire(to: successor)
        signal.finish()
    }

    /// Serves until shut down.
    ///
    /// - Throws: `ServerError`.
    package func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await server.run(onRunning: onRunning) { connection in
                ControlResponder(router: router, access: access, audit: audit, connection: connection, now: now)
            }
        } onCancelOrGracefulShutdown: {
            signal.finish()
        }
    }
}
