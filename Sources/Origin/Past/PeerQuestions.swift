import Synchronization

/// Bounds the questions about recordings that are under way at a time: each reads and writes a part of a block, and where
/// nothing is encrypted, strangers may ask as well.
final class PeerQuestions: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    static let most = 2

    init(limit: Int = PeerQuestions.most) {
        self.limit = limit
    }

    /// The place of a question, for as long as it exists.
    final class Place: Sendable {
        private let owner: PeerQuestions

        fileprivate init(_ owner: PeerQuestions) { self.owner = owner }

        deinit { owner.count.withLock { $0 -= 1 } }
    }

    /// Takes a place; nil if there is none.
    func enter() -> Place? {
        let isFree = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
