import NIOCore

/// A text and its compressed form, put together from what is compressed already and what is not.
struct CompressedText: Sendable {
    private(set) var body = ByteBuffer()
    private var compressed: GzipPart?
    /// Bytes of the body that are in `compressed`.
    private var compressedCount = 0
    private var hasFailed = false

    mutating func append(_ text: String) { body.writeString(text) }

    /// Appends a text that was compressed before.
    mutating func append(_ text: String, _ part: GzipPart) {
        compressRest()
        body.writeString(text)
        append(part)
    }

    /// As gzip (RFC 1952); nil where the compressor failed.
    var gzip: ByteBuffer? {
        var text = self
        text.compressRest()
        return text.hasFailed ? nil : text.compressed?.member
    }

    private mutating func compressRest() {
        let count = body.readableBytes - compressedCount
        guard count > 0, let rest = body.getSlice(at: body.readerIndex + compressedCount, length: count) else { return }
        append(GzipPart(rest))
    }

    private mutating func append(_ part: GzipPart?) {
        compressedCount = body.readableBytes
        guard let part else { return hasFailed = true }
        if compressed == nil { compressed = part } else { compressed?.append(part) }
    }
}
