import MediaCore
package import NIOCore
package import Playlists
import Presentation

/// A media playlist of the past, assembled from recorded lines.
///
/// Only bytes are read: whole blocks come with their compressed form.
package struct PastPlaylist: Sendable {
    private struct Piece: Sendable {
        var text: ByteBuffer
        /// The compressed form; nil for text that is compressed together with its neighbours.
        var gzip: GzipPart?
    }

    private var pieces: [Piece] = []

    /// The length of the text, in bytes.
    package private(set) var byteCount = 0
    /// True if there are only gaps: players give up on such a playlist.
    package let isGap: Bool

    /// Assembles a playlist.
    ///
    /// - Parameters:
    ///   - frame: The playlist without its segments; its target duration, numbers and version follow from the lines.
    ///   - ranges: The lines of date ranges above its first segment.
    ///   - lines: The lines of its segments, in order.
    package init(_ frame: MediaPlaylist, ranges: String = "", lines: [RecordedLines]) {
        var frame = frame
        isGap = lines.allSatisfy(\.isGap)
        let longest = lines.map(\.longest).max() ?? .zero
        // A duration is rounded to whole seconds before it is compared (RFC 8216bis § 4.4.3.1).
        let seconds = (longest.ticks + MediaTime.timescale / 2) / MediaTime.timescale
        frame.targetDuration = max(frame.targetDuration, Int(seconds))
        append(frame.head(version: lines.map(\.version).max() ?? 1) + ranges)
        for part in lines {
            append(part.scope)
            append(Piece(text: part.text, gzip: part.gzip))
        }
        append(frame.end)
    }

    private mutating func append(_ text: String) {
        if !text.isEmpty { append(Piece(text: ByteBuffer(string: text))) }
    }

    private mutating func append(_ piece: Piece) {
        pieces.append(piece)
        byteCount += piece.text.readableBytes
    }

    /// True if a line names a key; all lines are searched.
    package var namesKeys: Bool {
        pieces.contains { piece in
            piece.text.readableBytesView.split(separator: UInt8(ascii: "\n")).contains { line in
                line.starts(with: "#EXT-X-KEY:".utf8) && !line.starts(with: "#EXT-X-KEY:METHOD=NONE".utf8)
            }
        }
    }

    /// The whole text.
    package var body: ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(byteCount)
        for piece in pieces { body.writeImmutableBuffer(piece.text) }
        return body
    }

    /// The text as gzip (RFC 1952); nil if the compressor failed.
    package var gzip: ByteBuffer? {
        var (whole, text): (GzipPart?, ByteBuffer) = (nil, ByteBuffer())
        func append(_ part: GzipPart?) -> Bool {
            guard let part else { return false }
            if whole == nil { whole = part } else { whole?.append(part) }
            return true
        }
        for piece in pieces {
            guard let gzip = piece.gzip else {
                text.writeImmutableBuffer(piece.text)
                continue
            }
            if text.readableBytes > 0, !append(GzipPart(text)) { return nil }
            text.clear()
            if !append(gzip) { return nil }
        }
        if text.readableBytes > 0, !append(GzipPart(text)) { return nil }
        return whole?.member
    }
}

extension RecordedLines {
    /// The lines of date ranges among these.
    var dateRangeLines: String {
        var lines = ""
        text.withUnsafeReadableBytes { bytes in
            for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: Self.dateRangeTag) {
                lines += String(decoding: line, as: UTF8.self) + "\n"
            }
        }
        return lines
    }

    private static let dateRangeTag = Array("#EXT-X-DATERANGE:".utf8)
}
