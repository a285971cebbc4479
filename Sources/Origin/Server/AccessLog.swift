import HTTPServing
package import Logging
import MediaCore
import NIOCore
import NIOHTTP1
package import Operations

/// Writes one line for each request: into the debug log, and into the access log if there is one.
package struct AccessLog: Sendable {
    /// Writes a log of requests alone.
    package struct Sink: Sendable {
        package var format: LogFormat
        /// Takes lines without blocking, and without the break of the last one, and how many they are.
        package var write: @Sendable (_ lines: String, _ count: Int) -> Void

        package init(_ format: LogFormat, write: @escaping @Sendable (_ lines: String, _ count: Int) -> Void) {
            (self.format, self.write) = (format, write)
        }
    }

    private let logger: Logger
    private let lines: AccessLines?

    /// - Parameters:
    ///   - logger: Gets a line for each request at its level `debug`.
    ///   - sink: Gets a line for each request as well; nil if there is no log of requests alone.
    package init(logger: Logger, sink: Sink? = nil) {
        self.logger = logger
        lines = sink.map { AccessLines($0) }
    }

    /// True if the debug log has a line for each request.
    var isVerbose: Bool { logger.logLevel <= .debug }

    /// Writes all waiting lines.
    func flush() { lines?.handOver() }

    /// Logs a request that was answered with 200, and so many bytes.
    func record(_ get: PlainGet, bytes: Int) {
        guard let lines else { return }
        get.withBytes { lines.append(AccessRecord(get, $0, bytes: bytes)) }
    }

    /// Logs an answered request at debug level: with a thousand viewers it would bury everything else.
    ///
    /// Neither queries nor bodies are logged: they may carry secrets.
    func record(_ request: Request, _ answer: Answer, duration: Duration) {
        lines?.append(AccessRecord(request, answer, duration: duration))
        guard isVerbose else { return }
        logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))",
                "path": "\(Self.printable(Self.path(of: request), limit: 256))",
                "status": "\(answer.status.code)",
                "bytes": "\(answer.byteCount)",
                "duration_us": "\(duration.nanoseconds / 1000)",
                "user_agent": "\(Self.printable(request["User-Agent"] ?? "", limit: 128))",
            ]
        )
    }

    /// The target of a request without its query.
    static func path(of request: Request) -> Substring {
        request.target.prefix { $0 != "?" && $0 != "#" }
    }

    /// Logs that a channel's keys are not available; the error never holds one.
    func keyServiceFailed(channel: String, _ error: any Error) {
        logger.error(
            "keys are not available",
            metadata: [
                "channel": "\(channel)", "error": "\(error)",
                "viewers": "players that ask for a key get an error in its place, and do not play",
                "do": "correct what error names, or keep the log: keys are read anew for each request",
            ]
        )
    }

    /// Returns the text in at most `limit` characters, with a question mark for each that is not printable ASCII, and
    /// an apostrophe for a quote.
    ///
    /// Bytes of clients must neither forge nor break a line.
    package static func printable(_ text: some StringProtocol, limit: Int) -> String {
        var line = ByteBuffer()
        line.writePrintable(text.utf8, limit: limit)
        return String(buffer: line)
    }
}
