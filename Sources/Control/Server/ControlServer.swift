package import HTTPServing
import Hummingbird
import HummingbirdCore
package import Logging
package import MediaCore
import NIOCore
import NIOHTTP1
package import Operations
import ServiceLifecycle

/// The operator face: Hummingbird's router over what channels say of themselves.
package struct ControlServer: Service {
    let router: RouterResponder<ControlContext>
    private let server: HTTPServer
    private let idleTimeout: Duration
    private let bodyTimeout: Duration
    private let access: ControlAccess
    private let signal: EventSignal
    private let date = DateField()
    private let now: @Sendable () -> MediaTime
    private let logger: Logger
    private let audit: ControlAudit
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and what clients may do.
    ///   - certificate: Where connections are encrypted.
    ///   - access: Who may do what.
    ///   - channels: Those that there are now, in the order in which they are shown.
    ///   - origin: How the public face is.
    ///   - events: What happened in them.
    ///   - archive: What happened before; nil where that is not kept.
    ///   - signal: Fired after each event; finished when the server shuts down.
    ///   - operated: The configuration of the process.
    ///   - upgrade: Forecasts which encoders an upgrade would cut off now.
    ///   - webhooks: How those do that are told what happens.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets what the server has to complain about.
    ///   - onLimit: Told once when a limit begins to cost connections, and once when it no longer does.
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
        var quiet = logger
        // What Hummingbird reports, the caller says already, or is told as an error.
        quiet.logLevel = max(logger.logLevel, .critical)
        self.logger = quiet
        let audit = ControlAudit(events: events, now: now, logger: logger)
        self.audit = audit
        self.access = access
        self.signal = signal
        self.now = now
        self.onRunning = onRunning
        idleTimeout = configuration.idleTimeout
        bodyTimeout = configuration.bodyTimeout
        server = HTTPServer(
            configuration.server(knowsStrangers: !access.isOpenToAll),
            certificate: certificate,
            now: now,
            onLimit: onLimit
        )
        router = ControlRoutes(
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
        ).router().buildResponder()
    }

    package var socket: ServerSocket { server.socket }

    /// Ends what goes on for ever, for another process has the socket; all else is answered, and closed after that.
    ///
    /// - Parameter successor: Takes connections over of which nothing is asked.
    package func retire(to successor: @escaping @Sendable (Handover.Connection) -> Void) {
        server.socket.retire(to: successor)
        signal.finish()
    }

    /// Serves until shut down.
    ///
    /// - Throws: `ServerError`.
    package func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await server.run(onRunning: onRunning) { channel, connection in
                let certificate = connection.clientCertificate.map { "certificate \($0)" }
                let served = ControlConnection(
                    responder: { try await respond(to: $0, $1, $2, on: connection.pass, certificate: certificate) },
                    idleTimeout: idleTimeout,
                    bodyTimeout: bodyTimeout,
                    connection: connection
                )
                let value = try served.setUp(channel, logger)
                // It ends with the connection, which the server closes when it shuts down.
                Task { await served.handle(value: value, logger: logger) }
            }
        } onCancelOrGracefulShutdown: {
            signal.finish()
        }
    }

    @concurrent private func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel,
        on pass: ConnectionGate.Pass,
        certificate: String?
    ) async throws {
        let now = now()
        var response: Response
        var requester = Requester(address: channel.remoteAddress?.ipAddress, role: .readOnly)
        do {
            requester = try access.admit(request.head, certificate: certificate, address: requester.address, at: now)
            if requester.name != nil { pass.recognized() }
            var context = ControlContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            context.requester = requester
            response = try await router.respond(to: request, context: context)
        } catch let refusal as Refusal {
            response = (try? refusal.response(to: request)) ?? Response(status: .internalServerError)
        } catch let error as HTTPParserError {
            // Hummingbird answers it.
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        record(request, response.status.code, of: requester)
        BrowserFields.add(to: &response.headers)
        response.headers[.date] = date.text(at: now)
        response.headers[.server] = "packager"
        try await writer.write(response: response.head, body: response.body)
    }

    /// Records requests that have come to nothing; those that have changed something are on record already.
    private func record(_ request: Request, _ status: Int, of requester: Requester) {
        guard status >= 400 else { return }
        let path = (request.head.path ?? "").prefix { $0 != "?" }.prefix(256)
        let text = "\(request.method.rawValue.prefix(16)) \(path)"
        if status == 401 || status == 403 {
            audit.refused(status, text, of: requester)
        } else if request.method.changes, requester.name != nil {
            audit.failed(status, text, of: requester)
        }
    }
}
