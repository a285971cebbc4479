import Files
import HTTPServing
import NIOCore
import Presentation

/// Bodies that are too long to be in memory, such as a clip of hours in one file: they are read while they are sent.
extension ResourceAnswer {
    /// The bytes of the longest body that is loaded to be sent from its file: these are in the system's memory once,
    /// however many take them.
    static let longest = 64 * 1024 * 1024
    /// The most bytes of a body that is read before it is sent, as over TLS.
    ///
    /// Each slow client holds its own copy of them in memory, and their encrypted form.
    static let longestRead = 4 * 1024 * 1024
    /// The bytes that are read at a time of a longer one.
    static let piece = 1024 * 1024

    /// Streams bytes of a body that is not in memory while they are read.
    ///
    /// If a read fails, the answer is cut off, so that the client notices.
    ///
    /// - Parameters:
    ///   - range: The bytes that are sent.
    ///   - body: The body.
    ///   - readers: The threads that read them, piece by piece.
    ///   - client: Tells the network of the client from others.
    /// - Returns: The stream of an answer.
    static func stream(_ range: Range<Int>, of body: Body, by readers: Readers, for client: Int) -> Answer.Stream {
        { write in
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
                let end = min(start + Self.piece, range.upperBound)
                try await write(Self.read(start..<end, of: body, by: readers, for: client))
            }
        }
    }

    /// Reads bytes of an answer that has begun; while the readers are busy it waits, instead of refusing the request.
    private static func read(
        _ range: Range<Int>,
        of body: Body,
        by readers: Readers,
        for client: Int
    ) async throws -> ByteBuffer {
        while true {
            do {
                let result = try await readers.run(for: client) {
                    Result { () throws(FileError) -> ByteBuffer in try body.read(range) }
                }
                return try result.get()
            } catch is Readers.Busy {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
