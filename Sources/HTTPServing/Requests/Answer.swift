package import NIOCore
package import NIOHTTP1

/// An answer without the fields that the connection adds.
package struct Answer: Sendable {
    package var status: HTTPResponseStatus
    /// The header fields, with `Content-Length` if the status has one.
    package var fields: HTTPHeaders
    /// The bytes are shared, not copied.
    package var body: ByteBuffer
    /// The bytes of a file that are the body; ``body`` is empty then.
    ///
    /// Only a request that ``Request/takesFiles`` may be answered with them.
    package var file: FilePart?
    /// Writes a body without a length, or one too long for memory; ``body`` is empty then.
    package var stream: Stream?
    /// The bytes that ``stream`` writes, for `Content-Length`; nil if they are unknown.
    package private(set) var streamByteCount: Int?

    /// Writes a body of any length, over any time.
    ///
    /// The answer ends when this returns, and is cut off if it throws. The task is cancelled when the client leaves.
    package typealias Stream = @Sendable (_ write: @escaping Writer) async throws -> Void

    /// Sends bytes, and returns once the client takes more; throws when it has left.
    package typealias Writer = @Sendable (ByteBuffer) async throws -> Void

    package init(_ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Bytes of the body, unless it is a stream without a length.
    package var byteCount: Int { file?.byteCount ?? streamByteCount ?? body.readableBytes }

    package static func ok(_ fields: HTTPHeaders, _ body: ByteBuffer, status: HTTPResponseStatus = .ok) -> Answer {
        ok(fields, body, byteCount: body.readableBytes, status: status)
    }

    /// Answers with a body that may be missing for HEAD, unlike its length.
    package static func ok(
        _ fields: HTTPHeaders,
        _ body: ByteBuffer,
        byteCount: Int,
        status: HTTPResponseStatus
    ) -> Answer {
        var fields = fields
        fields.add(name: "Content-Length", value: String(byteCount))
        return Answer(status, fields, body)
    }

    /// Answers with bytes of a file.
    package static func ok(_ fields: HTTPHeaders, _ file: FilePart, status: HTTPResponseStatus) -> Answer {
        var answer = ok(fields, ByteBuffer(), byteCount: file.byteCount, status: status)
        answer.file = file
        return answer
    }

    /// Answers with a body that is read while it is sent.
    ///
    /// - Parameters:
    ///   - fields: The fields, without `Content-Length`.
    ///   - byteCount: The length of the body, in bytes.
    ///   - status: The status.
    ///   - stream: Writes so many bytes, or throws.
    /// - Returns: The answer.
    package static func ok(
        _ fields: HTTPHeaders,
        byteCount: Int,
        status: HTTPResponseStatus,
        stream: @escaping Stream
    ) -> Answer {
        var answer = ok(fields, ByteBuffer(), byteCount: byteCount, status: status)
        (answer.stream, answer.streamByteCount) = (stream, byteCount)
        return answer
    }

    /// Drops the body and keeps its length in the fields, as HEAD requires (RFC 9110 § 9.3.2).
    package mutating func dropBody() { (body, file, stream, streamByteCount) = (ByteBuffer(), nil, nil, nil) }

    /// Answers with the fields of a 200 except those that describe a body (RFC 9110 § 15.4.5).
    package static func notModified(_ fields: HTTPHeaders) -> Answer {
        var fields = fields
        fields.remove(name: "Content-Type")
        fields.remove(name: "Content-Encoding")
        return Answer(.notModified, fields)
    }
}

extension Answer {
    /// The largest body that is copied after the head, because sending two buffers costs the kernel more.
    static let longestCopy = 16 * 1024

    /// Writes the head, and a short body, in the form of RFC 9112.
    ///
    /// - Parameters:
    ///   - date: The `Date` field, so that it is not made for each answer.
    ///   - closes: True if it is the last of its connection.
    ///   - allocator: The allocator of the connection.
    /// - Returns: The bytes to be sent in front of ``body``, and true if the body is in them.
    func encoded(date: String, closes: Bool, allocator: ByteBufferAllocator) -> (buffer: ByteBuffer, hasBody: Bool) {
        let hasBody = body.readableBytes <= Self.longestCopy
        var buffer = allocator.buffer(capacity: 640 + (hasBody ? body.readableBytes : 0))
        writeHead(to: &buffer)
        Self.writeEnd(of: &buffer, date: date, closes: closes)
        if hasBody { buffer.writeImmutableBuffer(body) }
        return (buffer, hasBody)
    }

    /// The head without the fields that the connection adds, for a ``PreparedAnswer``.
    package var encodedHead: ByteBuffer {
        var buffer = ByteBuffer()
        writeHead(to: &buffer)
        return buffer
    }

    private func writeHead(to buffer: inout ByteBuffer) {
        if status == .ok {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
        Self.write(fields, to: &buffer)
    }

    static func write(_ fields: HTTPHeaders, to buffer: inout ByteBuffer) {
        for (name, value) in fields {
            buffer.writeString(name)
            buffer.writeStaticString(": ")
            buffer.writeString(value)
            buffer.writeStaticString("\r\n")
        }
    }

    /// Writes the fields that the connection adds, and the end of the head.
    static func writeEnd(of buffer: inout ByteBuffer, date: String, closes: Bool) {
        buffer.writeStaticString("Date: ")
        buffer.writeString(date)
        buffer.writeStaticString("\r\nServer: packager\r\n")
        if closes { buffer.writeStaticString("Connection: close\r\n") }
        buffer.writeStaticString("\r\n")
    }
}
