import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations

/// One answered request, for the access log.
///
/// It has neither query nor body, which may carry tokens. Its texts come from the client, and are made harmless when
/// they are written.
struct AccessRecord<Bytes: Collection<UInt8>> {
    /// The address of the client: a viewer, or the proxy in front.
    var client: String
    var method: Bytes
    var path: Bytes
    /// The protocol and its version.
    var protocolName: String
    var status: Int
    /// Bytes of the body.
    var bytes: Int
    /// The time from the request to the answer, waiting for a playlist included.
    var duration: Duration
    var referer: Bytes
    var userAgent: Bytes

    /// Writes one line with its break: the Combined Log Format of Apache and nginx with the microseconds that it took
    /// at its end, or a JSON object.
    func write(to line: inout ByteBuffer, _ format: LogFormat, at time: MediaTime, _ texts: inout AccessTimeText) {
        switch format {
        case .text: writeText(to: &line, texts.text(format, at: time))
        case .json: writeJSON(to: &line, texts.text(format, at: time), time)
        }
    }

    private var microseconds: Int64 { duration.nanoseconds / 1000 }

    private func writeText(to line: inout ByteBuffer, _ second: String) {
        line.writeString(client.isEmpty ? "-" : client)
        line.writeStaticString(" - - [")
        line.writeString(second)
        line.writeStaticString("] \"")
        line.writePrintable(method, limit: 16)
        line.writeStaticString(" ")
        line.writePrintable(path, limit: 256)
        line.writeStaticString(" ")
        line.writeString(protocolName)
        line.writeStaticString("\" ")
        line.writeString(String(status))
        line.writeStaticString(" ")
        line.writeString(String(bytes))
        line.writeStaticString(" \"")
        if referer.isEmpty { line.writeStaticString("-") } else { line.writePrintable(referer, limit: 128) }
        line.writeStaticString("\" \"")
        if userAgent.isEmpty { line.writeStaticString("-") } else { line.writePrintable(userAgent, limit: 128) }
        line.writeStaticString("\" ")
        line.writeString(String(microseconds))
        line.writeStaticString("\n")
    }

    private func writeJSON(to line: inout ByteBuffer, _ second: String, _ time: MediaTime) {
        line.writeStaticString("{\"time\":\"")
        line.writeString(second)
        let milliseconds = time.ticks % MediaTime.timescale * 1000 / MediaTime.timescale
        line.writeString(String(String(1000 + max(0, milliseconds)).dropFirst()))
        line.writeStaticString("Z\",\"client\":\"")
        line.writeString(client)
        line.writeStaticString("\",\"method\":\"")
        line.writePrintable(method, limit: 16, isEscaped: true)
        line.writeStaticString("\",\"path\":\"")
        line.writePrintable(path, limit: 256, isEscaped: true)
        line.writeStaticString("\",\"protocol\":\"")
        line.writeString(protocolName)
        line.writeStaticString("\",\"referer\":\"")
        line.writePrintable(referer, limit: 128, isEscaped: true)
        line.writeStaticString("\",\"user_agent\":\"")
        line.writePrintable(userAgent, limit: 128, isEscaped: true)
        line.writeStaticString("\",\"status\":")
        line.writeString(String(status))
        line.writeStaticString(",\"bytes\":")
        line.writeString(String(bytes))
        line.writeStaticString(",\"duration_us\":")
        line.writeString(String(microseconds))
        line.writeStaticString("}\n")
    }
}

extension AccessRecord where Bytes == Substring.UTF8View {
    init(_ request: Request, _ answer: Answer, duration: Duration) {
        func withoutQuery(_ text: String) -> Bytes {
            text[...].utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        }
        client = request.clientAddress
        method = request.method.rawValue[...].utf8
        path = withoutQuery(request.target)
        protocolName = request.protocolName
        status = Int(answer.status.code)
        bytes = answer.byteCount
        self.duration = duration
        referer = withoutQuery(request["Referer"] ?? "")
        userAgent = (request["User-Agent"] ?? "")[...].utf8
    }
}

extension AccessRecord where Bytes == Slice<UnsafeRawBufferPointer> {
    /// The record of a request that was answered with 200.
    ///
    /// - Parameters:
    ///   - get: The request.
    ///   - head: The bytes of the head.
    ///   - bytes: The number of bytes of the body.
    init(_ get: PlainGet, _ head: UnsafeRawBufferPointer, bytes: Int) {
        client = get.clientAddress
        method = head[0..<3]
        path = head[get.path]
        protocolName = get.protocolName
        status = 200
        self.bytes = bytes
        duration = .nanoseconds((.now() - get.arrival).nanoseconds)
        let referer = head[get.referer ?? 0..<0]
        self.referer = referer.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        userAgent = head[get.userAgent ?? 0..<0]
    }
}

/// The time of lines as text, which is the same for a second.
struct AccessTimeText {
    private var second = Int64.min
    private var text = ""

    /// The second that a time lies in, as lines of a format have it.
    mutating func text(_ format: LogFormat, at time: MediaTime) -> String {
        let second = time.ticks / MediaTime.timescale
        if second != self.second {
            self.second = second
            text =
                switch format {
                case .text: HTTPDate.logText(time)
                case .json: HTTPDate.isoText(time) + "."
                }
        }
        return text
    }
}

extension ByteBuffer {
    /// Writes at most `limit` bytes, with a question mark for each that is not printable ASCII, and an apostrophe for a
    /// quote: a client's text must neither forge nor break a line.
    ///
    /// - Parameters:
    ///   - text: The text that the client has sent.
    ///   - limit: The most bytes of the text.
    ///   - isEscaped: True if a backslash is to stand for itself in JSON.
    mutating func writePrintable(_ text: some Collection<UInt8>, limit: Int, isEscaped: Bool = false) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: limit * 2) { bytes in
            var count = 0
            for byte in text.prefix(limit) {
                if isEscaped, byte == UInt8(ascii: "\\") {
                    bytes[count] = byte
                    count += 1
                }
                bytes[count] =
                    switch byte {
                    case UInt8(ascii: "\""): UInt8(ascii: "'")
                    case 0x20...0x7E: byte
                    default: UInt8(ascii: "?")
                    }
                count += 1
            }
            return count
        }
    }
}
