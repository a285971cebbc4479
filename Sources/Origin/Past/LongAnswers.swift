import HTTPServing
import NIOCore
import NIOHTTP1
import Synchronization

/// Bounds the memory of long playlists that are each made for one client; shared playlists are not counted.
///
/// A range of a day has megabytes of text, and clients can ask for any number of ranges. The limit covers texts that
/// are being made and texts that clients have not received yet. One client has half of it at most. Requests
/// beyond it are refused for the moment.
final class LongAnswers: Sendable {
    /// The most bytes of all texts.
    let limit: Int
    /// Bytes up to which a text is not counted: no more than a segment.
    let short: Int
    private let taken = Mutex(Taken())

    /// The bytes that are taken, and those of each client.
    private struct Taken {
        var bytes = 0
        var ofClients: [Int: Int] = [:]

        mutating func change(by difference: Int, of client: Int) {
            bytes += difference
            let own = ofClients[client, default: 0] + difference
            ofClients[client] = own == 0 ? nil : own
        }
    }

    static let shared = LongAnswers()

    /// - Parameters:
    ///   - limit: The most bytes of all texts.
    ///   - short: The bytes up to which a text is not counted.
    init(limit: Int = 256 * 1024 * 1024, short: Int = 256 * 1024) {
        (self.limit, self.short) = (limit, short)
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
            return owner.taken.withLock { taken in
                let before = count.load(ordering: .relaxed)
                let (others, own) = (taken.bytes - before, taken.ofClients[client, default: 0] - before)
                guard wanted <= min(owner.limit - others, owner.limit / 2 - own) else { return false }
                taken.change(by: wanted - before, of: client)
                count.store(wanted, ordering: .relaxed)
                return true
            }
        }

        deinit { owner.taken.withLock { $0.change(by: -count.load(ordering: .relaxed), of: client) } }
    }

    /// The bytes that are taken.
    var byteCount: Int { taken.withLock { $0.bytes } }

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
