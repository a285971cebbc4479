package import FoundationEssentials
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
package import Operations

/// One answered request, for a log of its own.
///
/// Neither queries nor bodies are in it: they may carry tokens.
package struct AccessRecord: Sendable {
    package var time: Date
    /// The address of the client: a viewer, or the proxy in front.
    package var client: String
    package var method: String
    package var path: String
    package var status: Int
    /// Bytes of the body.
    package var bytes: Int
    /// The time from the request to the answer, waiting for a playlist included.
    package var duration: Duration
    package var referer: String
    package var userAgent: String

    init(_ request: Request, _ answer: Answer, duration: Duration, at time: Date = .now) {
        self.time = time
        client = request.clientAddress
        method = AccessLog.printable(request.method.rawValue, limit: 16)
        path = AccessLog.printable(AccessLog.path(of: request), limit: 256)
        status = Int(answer.status.code)
        bytes = answer.body.readableBytes
        self.duration = duration
        referer = AccessLog.printable((request["Referer"] ?? "").prefix { $0 != "?" && $0 != "#" }, limit: 128)
        userAgent = AccessLog.printable(request["User-Agent"] ?? "", limit: 128)
    }

    /// One line: the Combined Log Format of Apache and nginx with the microseconds that it took at its end, or a JSON object.
    package func text(_ format: LogFormat) -> String {
        let microseconds = duration.nanoseconds / 1000
        switch format {
        case .text:
            let second = MediaTime(seconds: Int64(time.timeIntervalSince1970.rounded(.down)))
            return "\(client.isEmpty ? "-" : client) - - [\(HTTPDate.logText(second))] \"\(method) \(path) HTTP/1.1\" "
                + "\(status) \(bytes) \"\(Self.orDash(referer))\" \"\(Self.orDash(userAgent))\" \(microseconds)"
        case .json:
            return JSONLine.text(
                [
                    ("time", time.formatted(LogLine.time)), ("client", client), ("method", method), ("path", path),
                    ("referer", referer), ("user_agent", userAgent),
                ],
                numbers: [("status", status), ("bytes", bytes), ("duration_us", Int(microseconds))]
            )
        }
    }

    private static func orDash(_ text: String) -> String { text.isEmpty ? "-" : text }
}
