import NIOCore

/// A text in pieces.
///
/// Pieces that several texts share are compressed once.
struct CompressedText: Sendable {
    private struct Piece {
        var text: String
        /// The compressed form; nil for a piece that no other text has.
        var gzip: SharedGzip?
    }

    private var pieces: [Piece] = []
    /// The length of the whole text, in bytes.
    private(set) var byteCount = 0

    mutating func append(_ text: String) {
        if !text.isEmpty { append(Piece(text: text)) }
    }

    /// Appends a text that other playlists share.
    mutating func append(_ text: String, _ gzip: SharedGzip) { append(Piece(text: text, gzip: gzip)) }

    private mutating func append(_ piece: Piece) {
        pieces.append(piece)
        byteCount += piece.text.utf8.count
    }

    /// The whole text, put together anew each time.
    var body: ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(byteCount)
        for piece in pieces { body.writeString(piece.text) }
        return body
    }

    /// The text as gzip (RFC 1952); nil if the compressor failed.
    var gzip: ByteBuffer? {
        var whole: GzipPart?
        // Text between shared pieces is compressed in one go.
        var text = ByteBuffer()
        func append(_ part: GzipPart?) -> Bool {
            guard let part else { return false }
            if whole == nil { whole = part } else { whole?.append(part) }
            return true
        }
        func appendText() -> Bool {
            defer { text.clear() }
            return text.readableBytes == 0 || append(GzipPart(text))
        }
        for piece in pieces {
            guard let gzip = piece.gzip else {
                text.writeString(piece.text)
                continue
            }
            guard appendText(), append(gzip.part) else { return nil }
        }
        return appendText() ? whole?.member : nil
    }

    /// Returns true if both have the same text; pieces that they share are not compared.
    func isEqual(to other: CompressedText) -> Bool {
        byteCount == other.byteCount && pieces.count == other.pieces.count
            && zip(pieces, other.pieces).allSatisfy { $0.gzip != nil && $0.gzip === $1.gzip || $0.text == $1.text }
    }
}
