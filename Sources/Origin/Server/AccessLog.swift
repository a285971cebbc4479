package import Logging
import MediaCore
import NIOCore
import NIOHTTP1

/// One line for each request.
package struct AccessLog: Sendable {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Nothing is put together for a logger that would drop it.
    var isWanted: Bool { logger.logLevel <= .debug }

    /// Logs an answered request, for those who look for faults: of a thousand viewers it would bury everything else.
    ///
    /// Neither queries nor bodies are logged: they may carry secrets.
    func record(_ request: OriginRequest, _ answer: Answer, duration: Duration) {
        guard isWanted else { return }
        let path = request.target.prefix { $0 != "?" && $0 != "#" }
        logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))",
                "path": "\(Self.printable(path, limit: 256))",
                "status": "\(answer.status.code)",
                "bytes": "\(answer.body.readableBytes)",
                "duration_us": "\(duration.nanoseconds / 1000)",
                "user_agent": "\(Self.printable(request["User-Agent"] ?? "", limit: 128))",
            ]
        )
    }

    /// Logs that a channel's keys could not be had; the error never holds one.
    func keyServiceFailed(channel: String, _ error: any Error) {
        logger.error("keys are not available", metadata: ["channel": "\(channel)", "error": "\(error)"])
    }

    /// At most `limit` characters, with a question mark for each that is not printable ASCII, and an apostrophe for a
    /// quote: what clients send must neither forge nor break a line.
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
