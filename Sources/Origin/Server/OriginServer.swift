package import HTTPServing
package import KeyServing
package import Logging
package import MediaCore
import ServiceLifecycle

/// The public server: answers from the channels' presentations, on event loops of its own.
///
/// A request never waits for another thread: reading, answering and writing happen on the
/// connection's event loop, and long work is done on the thread pool.
package struct OriginServer: Service {
    package let counters: OriginCounters
    package let responder: OriginResponder
    /// Asks for passes; nil if everybody may have playlists and media.
    private let passGate: PassGate?
    private let server: HTTPServer
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// Serves nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The address to listen at, and the limits of clients.
    ///   - channels: Asked for every request.
    ///   - counters: The counters of requests.
    ///   - keyResponder: Answers requests for keys; nil if everybody may have them.
    ///   - mediaAuthorization: The conditions on which viewers have playlists and media; nil if everybody may.
    ///   - certificate: The certificate, where connections are encrypted.
    ///   - now: UTC, counted from 1970.
    ///   - logger: Gets one line for each request, for debugging.
    ///   - accessLog: Gets a line for each request as well; nil if there is no log of requests alone.
    ///   - onLimit: Called once when a limit begins to cost connections, and once when it no longer does.
    ///   - onRunning: Called with the bound port once requests are answered.
    package init(
        configuration: OriginConfiguration,
        channels: any OriginChannels,
        counters: OriginCounters = OriginCounters(),
        keyResponder: KeyResponder? = nil,
        mediaAuthorization: MediaAuthorization? = nil,
        certificate: ServerCertificate.Followed? = nil,
        now: @escaping @Sendable () -> MediaTime,
        logger: Logger,
        accessLog: AccessLog.Sink? = nil,
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.counters = counters
        self.onRunning = onRunning
        server = HTTPServer(configuration.server, certificate: certificate, now: now, onLimit: onLimit)
        responder = OriginResponder(
            channels: channels,
            configuration: configuration,
            keyResponder: keyResponder,
            counters: counters,
            log: AccessLog(logger: logger, sink: accessLog),
            now: now
        )
        passGate = mediaAuthorization.map { [responder] in PassGate(responder, $0) }
    }

    /// The responder to all requests.
    package var entrance: any Responder { passGate ?? responder }

    package var gate: ConnectionGate { server.gate }
    package var socket: ServerSocket { server.socket }

    /// Calls back once every event loop of the server has come round.
    package func beat(_ pulse: @escaping @Sendable () -> Void) { server.beat(pulse) }

    /// Serves until shut down.
    ///
    /// - Throws: `ServerError`.
    package func run() async throws {
        defer { responder.log.flush() }
        try await server.run(onRunning: onRunning) { [entrance] _ in entrance }
    }
}
