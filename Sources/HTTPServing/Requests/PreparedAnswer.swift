package import MediaCore
package import NIOCore
import NIOHPACK
package import NIOHTTP1

/// An answer to a GET whose head was made before: it has the status 200, and the fields are the same for all who ask.
package struct PreparedAnswer: Sendable {
    /// The status and the fields, without those of ``more`` and those that the connection adds.
    package var head: Head
    /// A field that changes while the rest does not.
    package var more: (name: StaticString, value: Int)?
    /// The bytes are shared, not copied.
    package var body: ByteBuffer
    /// UTC at which it is sent, counted from 1970.
    package var time: MediaTime

    /// The head in the forms in which it is sent.
    package final class Head: Sendable {
        package let fields: HTTPHeaders
        /// The form of RFC 9112: see ``Answer/encodedHead``.
        package let bytes: ByteBuffer
        /// The form of HTTP/2.
        let compressible: HPACKHeaders

        package init(_ answer: Answer) {
            (fields, bytes, compressible) = (answer.fields, answer.encodedHead, HPACKHeaders(answer))
        }
    }

    package init(
        _ head: Head,
        more: (name: StaticString, value: Int)? = nil,
        body: ByteBuffer,
        time: MediaTime
    ) {
        (self.head, self.more, self.body, self.time) = (head, more, body, time)
    }

    /// Writes the head, and the body where that is short, as ``Answer/encoded(date:closes:allocator:)`` does.
    func encoded(date: String, allocator: ByteBufferAllocator) -> (buffer: ByteBuffer, hasBody: Bool) {
        let hasBody = body.readableBytes <= Answer.longestCopy
        var buffer = allocator.buffer(capacity: head.bytes.readableBytes + 192 + (hasBody ? body.readableBytes : 0))
        buffer.writeImmutableBuffer(head.bytes)
        if let more {
            buffer.writeStaticString(more.name)
            buffer.writeStaticString(": ")
            buffer.writeString(String(more.value))
            buffer.writeStaticString("\r\n")
        }
        Answer.writeEnd(of: &buffer, date: date, closes: false)
        if hasBody { buffer.writeImmutableBuffer(body) }
        return (buffer, hasBody)
    }
}
