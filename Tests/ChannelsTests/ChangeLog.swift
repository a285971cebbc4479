import NIOCore
import Presentation
import Synchronization

/// Says what has become of each path since it was last asked.
final class ChangeLog: PublicationConsumer {
    /// A path that came, changed or went.
    struct Change {
        var path: String
        /// The bytes; nil for a path that went.
        var body: ByteBuffer?
    }

    let name = "changes"
    let policy = ConsumerPolicy.observes
    let interest: Publication.Kinds = [.slots, .playlists, .expired]
    private let state = Mutex((playlists: [String: String](), changes: [Change]()))

    func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            state.withLock { state in
                switch publication {
                case .slots(let slots): state.changes += slots.bodies.map { Change(path: $0, body: $1) }
                case .playlists(let newest):
                    for path in state.playlists.keys where newest.playlists[path] == nil {
                        state.changes.append(Change(path: path))
                    }
                    for (path, playlist) in newest.playlists where state.playlists[path] != playlist.entityTag {
                        state.changes.append(Change(path: path, body: playlist.text))
                    }
                    state.playlists = newest.playlists.mapValues(\.entityTag)
                case .expired(let expired): state.changes += expired.paths.map { Change(path: $0) }
                default: break
                }
            }
        }
        return .done
    }

    /// Takes the changes, in order.
    func take() -> [Change] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }
}
