import Synchronization

/// Limits concurrent questions about recordings.
///
/// Each question reads a part of a block, and without encryption strangers may ask, too.
///
/// A place is always left for peers. Each network of strangers has one place, so that no single network can shut out a
/// peer whose address is unknown.
final class PeerQuestions: Sendable {
    /// The client that asks.
    enum Asker: Hashable, Sendable {
        /// A peer with the secret, or with the address at which it is reached.
        case peer
        /// Any other client, by the network that it is counted by.
        case stranger(network: String)
    }

    private struct State {
        var count = 0
        /// The networks of the strangers whose questions are under way.
        var strangers: Set<String> = []
    }

    private let state = Mutex(State())

    /// The most questions at once.
    static let most = 3
    /// The most concurrent questions of strangers.
    static let mostOfStrangers = 2

    /// The place of a question, for as long as it exists.
    final class Place: Sendable {
        private let owner: PeerQuestions
        private let asker: Asker

        fileprivate init(_ owner: PeerQuestions, _ asker: Asker) { (self.owner, self.asker) = (owner, asker) }

        deinit { owner.leave(asker) }
    }

    /// Takes a place; nil if there is none for that client.
    func enter(_ asker: Asker) -> Place? {
        let isFree = state.withLock { state in
            guard state.count < Self.most else { return false }
            if case .stranger(let network) = asker {
                guard state.strangers.count < Self.mostOfStrangers, state.strangers.insert(network).inserted else {
                    return false
                }
            }
            state.count += 1
            return true
        }
        return isFree ? Place(self, asker) : nil
    }

    private func leave(_ asker: Asker) {
        state.withLock { state in
            state.count -= 1
            if case .stranger(let network) = asker { state.strangers.remove(network) }
        }
    }
}
