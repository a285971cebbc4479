import HTTPServing
import NIOCore
import NIOHTTP1
import Synchronization

/// Bounds the memory of long playlists that are each made for one client: those that many share do not need it.
///
/// A range of a day has megabytes of text, and there are as many ranges as clients can think of. Clients that read slowly, or
/// many at once, get at most so much of it at a time; beyond that, others are asked to come again.
final class LongAnswers: Sendable {
    /// Bytes up to which a body is not counted: no more than a segment.
    static let short = 256 * 1024
    /// The most bytes of all bodies that are being sent.
    private let limit: Int
    private let bytes = Mutex(0)

    static let shared = LongAnswers(limit: 256 * 1024 * 1024)

    init(limit: Int) {
        self.limit = limit
    }

    /// Room for a body, for as long as it exists.
    private final class Room: Sendable {
        private let owner: LongAnswers
        private let count: Int

        init?(_ count: Int, of owner: LongAnswers) {
            let isFree = owner.bytes.withLock { bytes in
                guard bytes + count <= owner.limit else { return false }
                bytes += count
                return true
            }
            guard isFree else { return nil }
            (self.owner, self.count) = (owner, count)
        }

        deinit { owner.bytes.withLock { $0 -= count } }
    }

    /// The bytes that are being sent.
    var byteCount: Int { bytes.withLock { $0 } }

    /// Takes room for the body of an answer; nil if there is none.
    func admit(_ answer: Answer) -> Answer? {
        let body = answer.body
        if body.readableBytes <= Self.short { return answer }
        guard let room = Room(body.readableBytes, of: self) else { return nil }
        var answer = answer
        // As a stream, the body and its room are there for as long as the client reads.
        answer.fields.remove(name: "Content-Length")
        answer.body = ByteBuffer()
        answer.stream = { write in
            try await write(body)
            withExtendedLifetime(room) {}
        }
        return answer
    }
}
