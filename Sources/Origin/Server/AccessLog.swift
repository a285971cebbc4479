import HTTPServing
package import Logging
import MediaCore
import NIOCore
import NIOHTTP1

/// One line for each request: in the log for those who look for faults, and in a log of its own where there is one.
package struct AccessLog: Sendable {
    /// Takes the record of a request without blocking.
    package typealias Sink = @Sendable (AccessRecord) -> Void

    private let logger: Logger
    private let sink: Sink?

    /// - Parameters:
    ///   - logger: Gets a line for each request at its level `debug`.
    ///   - sink: Takes each request as well; nil if there is no log of requests alone.
    package init(logger: Logger, sink: Sink? = nil) {
        self.logger = logger
        self.sink = sink
    }

    /// True if lines are written anywhere; otherwise none are composed.
    var isWanted: Bool { sink != nil || logger.logLevel <= .debug }

    /// Logs an answered request, for those who look for faults: of a thousand viewers it would bury everything else.
    ///
    /// Neither queries nor bodies are logged: they may carry secrets.
    func record(_ request: Request, _ answer: Answer, duration: Duration) {
        guard isWanted else { return }
        sink?(AccessRecord(request, answer, duration: duration))
        guard logger.logLevel <= .debug else { return }
        logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))",
                "path": "\(Self.printable(Self.path(of: request), limit: 256))",
                "status": "\(answer.status.code)",
                "bytes": "\(answer.body.readableBytes)",
                "duration_us": "\(duration.nanoseconds / 1000)",
                "user_agent": "\(Self.printable(request["User-Agent"] ?? "", limit: 128))",
            ]
        )
    }

    /// The target of a request without its query.
    static func path(of request: Request) -> Substring {
        request.target.prefix { $0 != "?" && $0 != "#" }
    }

    /// Logs that a channel's keys could not be had; the error never holds one.
    func keyServiceFailed(channel: String, _ error: any Error) {
        logger.error("keys are not available", metadata: ["channel": "\(channel)", "error": "\(error)"])
    }

    /// The text in at most `limit` characters, with a question mark for each that is not printable ASCII, and an
    /// apostrophe for a quote: what clients send must neither forge nor break a line.
    package static func printable(_ text: some StringProtocol, limit: Int) -> String {
        String(
            decoding: text.utf8.prefix(limit).map { byte in
                switch byte {
                case UInt8(ascii: "\""): UInt8(ascii: "'")
                case 0x20...0x7E: byte
                default: UInt8(ascii: "?")
                }
            },
            as: UTF8.self
        )
    }
}
