import NIOCore

/// A text of which some is compressed already, and the rest when its compressed form is asked for.
struct CompressedText: Sendable {
    private(set) var body = ByteBuffer()
    /// What of the body is compressed already, in order.
    private var parts: [(range: Range<Int>, gzip: GzipPart)] = []

    /// Takes the room for so many bytes at once: a text that grows by and by is copied again and again.
    mutating func reserve(_ count: Int) { body.reserveCapacity(count) }

    mutating func append(_ text: String) { body.writeString(text) }

    /// Appends a text that was compressed before.
    mutating func append(_ text: String, _ part: GzipPart) {
        let start = body.readableBytes
        body.writeString(text)
        parts.append((start..<body.readableBytes, part))
    }

    /// As gzip (RFC 1952); nil where the compressor failed.
    var gzip: ByteBuffer? {
        var whole: GzipPart?
        var end = 0
        for (range, part) in parts {
            guard append(end..<range.lowerBound, to: &whole) else { return nil }
            if whole == nil { whole = part } else { whole?.append(part) }
            end = range.upperBound
        }
        return append(end..<body.readableBytes, to: &whole) ? whole?.member : nil
    }

    /// Whether the compressor has not failed.
    private func append(_ range: Range<Int>, to whole: inout GzipPart?) -> Bool {
        if range.isEmpty { return true }
        let text = body.getSlice(at: body.readerIndex + range.lowerBound, length: range.count)
        guard let part = text.flatMap(GzipPart.init) else { return false }
        if whole == nil { whole = part } else { whole?.append(part) }
        return true
    }
}
