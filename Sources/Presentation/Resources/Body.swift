package import Files
package import NIOCore

/// The bytes of a path, in memory or in a ``BodyStore``.
package enum Body: Hashable, Sendable {
    case memory(ByteBuffer)
    case stored(StoredBody)

    package var byteCount: Int {
        switch self {
        case .memory(let bytes): bytes.readableBytes
        case .stored(let body): body.byteCount
        }
    }

    /// The bytes; nil if they are not in memory.
    package var memory: ByteBuffer? {
        switch self {
        case .memory(let bytes): bytes
        case .stored: nil
        }
    }

    /// Reads some of the bytes, or all of them; reading from a store takes time.
    ///
    /// - Throws: ``FileError`` if they cannot be had.
    package func read(_ range: Range<Int>? = nil) throws(FileError) -> ByteBuffer {
        switch range.map(slice) ?? self {
        case .memory(let bytes): return bytes
        case .stored(let body): return try body.read()
        }
    }

    /// Returns the place of some of the bytes in a file, or of all; finding it may take time.
    ///
    /// - Returns: Nil if they are in memory, or not in a file that others can open.
    package func place(of range: Range<Int>? = nil) -> FilePlace? {
        switch range.map(slice) ?? self {
        case .memory: nil
        case .stored(let body): body.place
        }
    }

    /// Returns a range of the bytes; empty if the range exceeds the bytes in memory.
    func slice(_ range: Range<Int>) -> Body {
        switch self {
        case .memory(let bytes):
            .memory(bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer())
        case .stored(let body): .stored(body.slice(range))
        }
    }
}
