package import MediaCore
package import NIOCore

/// An answer to a GET whose head was made before: it has the status 200, and the fields are the same for all who ask.
package struct PreparedAnswer: Sendable {
    /// The fields, without those of ``more`` and those that the connection adds.
    package var fields: [(name: String, value: String)]
    /// The status line and ``fields`` in the form of RFC 9112, each with its line break: see ``Answer/encodedHead``.
    package var head: ByteBuffer
    /// A field that changes while the rest does not.
    package var more: (name: StaticString, value: Int)?
    /// The bytes are shared, not copied.
    package var body: ByteBuffer
    /// UTC at which it is sent, counted from 1970.
    package var time: MediaTime

    package init(
        fields: [(name: String, value: String)],
        head: ByteBuffer,
        more: (name: StaticString, value: Int)? = nil,
        body: ByteBuffer,
        time: MediaTime
    ) {
        (self.fields, self.head, self.more, self.body, self.time) = (fields, head, more, body, time)
    }

    /// Writes the head, and the body where that is short, as ``Answer/encoded(date:closes:allocator:)`` does.
    func encoded(date: String, allocator: ByteBufferAllocator) -> (buffer: ByteBuffer, hasBody: Bool) {
        let hasBody = body.readableBytes <= Answer.longestCopy
        var buffer = allocator.buffer(capacity: head.readableBytes + 192 + (hasBody ? body.readableBytes : 0))
        buffer.writeImmutableBuffer(head)
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
