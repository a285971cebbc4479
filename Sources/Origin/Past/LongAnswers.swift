import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Synchronization

/// Bounds the memory of long playlists that are each made for one client; shared playlists are not counted.
///
/// A range of a day has megabytes of text, and clients can ask for any number of ranges. The limit covers texts that
/// are being made and texts that clients have not received yet. One client has half of it at most. Requests
/// beyond it are refused for the moment.
final class LongAnswers: Sendable {
    /// Bytes up to which a text is not counted: no more than a segment.
    let short: Int
    /// The bytes of all texts.
    private let bytes: Mutex<SharedQuota>

    static let shared = LongAnswers()

    /// - Parameters:
    ///   - limit: The most bytes of all texts.
    ///   - short: The bytes up to which a text is not counted.
    init(limit: Int = 256 * 1024 * 1024, short: Int = 256 * 1024) {
        bytes = Mutex(SharedQuota(limit: limit))
        self.short = short
    }

    /// Room for a text, for as long as it exists.
    final class Room: Sendable {
        private let owner: LongAnswers
        private let client: Int
        private let count = Atomic(0)

        fileprivate init(of owner: LongAnswers, for client: Int) {
            (self.owner, self.client) = (owner, client)
        }

        /// Takes the missing room for a text, or gives back the surplus.
        ///
        /// - Returns: False if there is no room; then nothing changes.
        fileprivate func resize(to byteCount: Int) -> Bool {
            let wanted = byteCount <= owner.short ? 0 : byteCount
            return owner.bytes.withLock { bytes in
                let missing = wanted - count.load(ordering: .relaxed)
                if missing < 0 { bytes.giveBack(-missing, of: client) }
                guard missing <= 0 || bytes.take(missing, for: client) else { return false }
                count.store(wanted, ordering: .relaxed)
                return true
            }
        }

        deinit { owner.bytes.withLock { $0.giveBack(count.load(ordering: .relaxed), of: client) } }
    }

    /// The most bytes of all texts.
    var limit: Int { bytes.withLock(\.limit) }

    /// The bytes that are taken.
    var byteCount: Int { bytes.withLock { $0.taken } }

    /// Reserves room for a text before it is made.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes that making it takes, as far as they are known.
    ///   - client: A number for the client's address.
    /// - Returns: The room; nil if there is none.
    func room(for byteCount: Int, of client: Int) -> Room? {
        let room = Room(of: self, for: client)
        return room.resize(to: byteCount) ? room : nil
    }

    /// Corrects the room of a text to the bytes of the answer, and frees it once they are sent.
    ///
    /// - Parameters:
    ///   - answer: The answer, with the text.
    ///   - room: The room in which it was made.
    /// - Returns: The answer as it is sent; nil if the text is longer than was known, and there is no room for it.
    func admit(_ answer: Answer, in room: Room) -> Answer? {
        let body = answer.body
        guard room.resize(to: body.readableBytes) else { return nil }
        if body.readableBytes <= short { return answer }
        var answer = answer
        // A streamed body keeps its room for as long as the client reads.
        answer.fields.remove(name: "Content-Length")
        answer.body = ByteBuffer()
        answer.stream = { write in
            try await write(body)
            withExtendedLifetime(room) {}
        }
        return answer
    }
}
