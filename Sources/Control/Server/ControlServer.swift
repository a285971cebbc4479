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
    let router: RouterResponder<BasicRequestContext>
    private let server: HTTPServer
    private let idleTimeout: Duration
    private let signal: EventSignal
    private let date = DateField()
    private let now: @Sendable () -> MediaTime
    private let logger: Logger
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and what clients may do.
    ///   - channels: Those that there are now, in the order in which they are shown.
    ///   - origin: How the public face is.
    ///   - events: What happened in them.
    ///   - signal: Fired after each event; finished when the server shuts down.
    ///   - operated: The configuration of the process.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets what the server has to complain about.
    ///   - onLimit: Told once when a limit begins to cost connections, and once when it no longer does.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: ControlConfiguration,
        channels: @escaping @Sendable () -> [any OperatedChannel],
        origin: @escaping @Sendable () -> OriginStatus,
        events: EventLog,
        signal: EventSignal,
        operated: any OperatedConfiguration,
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        var quiet = logger
        // What Hummingbird reports, the caller says already, or is told as an error.
        quiet.logLevel = max(logger.logLevel, .critical)
        self.logger = quiet
        self.signal = signal
        self.now = now
        self.onRunning = onRunning
        idleTimeout = configuration.idleTimeout
        server = HTTPServer(configuration.server, onLimit: onLimit)
        router = ControlRoutes(
            configuration: configuration,
            channels: channels,
            origin: origin,
            events: events,
            signal: signal,
            operated: operated,
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
            try await server.run(onRunning: onRunning) { channel, pass in
                let connection = ControlConnection(responder: respond, idleTimeout: idleTimeout, pass: pass)
                let value = try connection.setUp(channel, logger)
                // It ends with the connection, which the server closes when it shuts down.
                Task { await connection.handle(value: value, logger: logger) }
            }
        } onCancelOrGracefulShutdown: {
            signal.finish()
        }
    }

    @concurrent @Sendable private func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        var response: Response
        do {
            response = try await router.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            // Hummingbird answers it.
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = date.text(at: now())
        response.headers[.server] = "packager"
        try await writer.write(response: response.head, body: response.body)
    }
}
