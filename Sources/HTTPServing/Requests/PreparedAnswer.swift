package import MediaCore
package import NIOCore
import NIOHPACK
package import NIOHTTP1

/// An answer to a GET whose head was made before: it has status 200, and the same fields for all clients.
package struct PreparedAnswer: Sendable {
    /// The status and the fields, without those of ``more`` and those that the connection adds.
    package var head: Head
    /// Fields that change while the rest does not, prepared as well.
    package var more: Head?
    /// The bytes are shared, not copied.
    package var body: ByteBuffer
    /// The bytes of a file that are the body; ``body`` is empty then.
    ///
    /// Only a request that ``PlainGet/takesFiles`` may be answered with them.
    package var file: FilePart?
    /// UTC at which it is sent, counted from 1970.
    package var time: MediaTime

    /// A head, or fields that stand behind one, in the forms in which they are sent.
    package final class Head: Sendable {
        package let fields: HTTPHeaders
        /// The form of RFC 9112: see ``Answer/encodedHead``.
        package let bytes: ByteBuffer
        /// The form of HTTP/2.
        let compressible: HPACKHeaders
        /// The place of a copy of the body that is sent with it; nil if that is too short.
        let copy: MemoryCopies.Place?

        package init(_ answer: Answer) {
            (fields, bytes, compressible) = (answer.fields, answer.encodedHead, HPACKHeaders(answer))
            copy = answer.body.readableBytes < FilePart.leastByteCount ? nil : MemoryCopies.Place()
        }

        /// Takes fields that stand behind another head.
        package init(_ fields: HTTPHeaders) {
            var bytes = ByteBuffer()
            Answer.write(fields, to: &bytes)
            (self.fields, self.bytes, compressible) = (fields, bytes, HPACKHeaders(fields: fields))
            copy = nil
        }
    }

    package init(
        _ head: Head,
        more: Head? = nil,
        body: ByteBuffer,
        time: MediaTime
    ) {
        (self.head, self.more, self.body, self.time) = (head, more, body, time)
    }

    package init(_ head: Head, more: Head? = nil, file: FilePart, time: MediaTime) {
        self.init(head, more: more, body: ByteBuffer(), time: time)
        self.file = file
    }

    /// Writes the head, and a short body, like ``Answer/encoded(date:closes:allocator:)``.
    func encoded(date: String, allocator: ByteBufferAllocator) -> (buffer: ByteBuffer, hasBody: Bool) {
        let hasBody = body.readableBytes <= Answer.longestCopy
        let headCount = head.bytes.readableBytes + (more?.bytes.readableBytes ?? 0) + 128
        var buffer = allocator.buffer(capacity: headCount + (hasBody ? body.readableBytes : 0))
        buffer.writeImmutableBuffer(head.bytes)
        if let more { buffer.writeImmutableBuffer(more.bytes) }
        Answer.writeEnd(of: &buffer, date: date, closes: false)
        if hasBody { buffer.writeImmutableBuffer(body) }
        return (buffer, hasBody)
    }
}
