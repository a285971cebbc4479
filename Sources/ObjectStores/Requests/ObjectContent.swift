import ContentProtection
import Dispatch
import Files
import NIOCore
import Presentation

/// The content of a request.
enum ObjectContent: Sendable {
    case bytes(ByteBuffer)
    /// Pieces of a file that was read once for its SHA-256 digest.
    case pieces(BodyPieces, digest: [UInt8])

    /// The most bytes that are in memory as a whole.
    static let wholeByteCount = 4 << 20

    /// Reads a body, or its digest if it is too long for memory.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - known: The digest, if it was read before.
    ///   - disk: The queue that waits for the disk.
    /// - Returns: The content.
    /// - Throws: An error if the body cannot be read.
    static func content(
        of body: Body,
        digest known: [UInt8]? = nil,
        on disk: DispatchQueue
    ) async throws -> ObjectContent {
        if let bytes = body.memory { return .bytes(bytes) }
        let content = await disk.result { () throws -> ObjectContent in
            if body.byteCount <= wholeByteCount { return .bytes(try body.read()) }
            let pieces = BodyPieces(body: body, disk: disk)
            if let known { return .pieces(pieces, digest: known) }
            var offset = 0
            let digest = try MessageDigest.sha256.digest {
                guard let range = pieces.range(at: offset) else { return nil }
                offset = range.upperBound
                return try body.read(range)
            }
            return .pieces(pieces, digest: digest)
        }
        return try content.get()
    }

    func digest() throws(StoreProblem) -> [UInt8] {
        switch self {
        case .pieces(_, let digest): return digest
        case .bytes(let bytes):
            do throws(OpenSSLError) {
                return try MessageDigest.sha256.digest(bytes)
            } catch {
                throw .unreadable("\(error)")
            }
        }
    }
}

/// The bytes of a body that is read a piece at a time.
struct BodyPieces: AsyncSequence, Sendable {
    let body: Body
    /// The queue that waits for the disk.
    let disk: DispatchQueue
    /// Waits until so many bytes may be sent; nil without a limit.
    var willSend: (@Sendable (Int) async throws -> Void)?

    /// The most bytes of a piece.
    static let pieceByteCount = 256 << 10

    /// The bytes of the piece that begins at an offset; nil behind the last.
    func range(at offset: Int) -> Range<Int>? {
        offset < body.byteCount ? offset..<Swift.min(offset + Self.pieceByteCount, body.byteCount) : nil
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: BodyPieces
        var offset = 0

        mutating func next() async throws -> ByteBuffer? {
            guard let range = pieces.range(at: offset) else { return nil }
            offset = range.upperBound
            try await pieces.willSend?(range.count)
            let piece = await pieces.disk.result { [body = pieces.body] in try body.read(range) }
            return try piece.get()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
