import Presentation

extension PushPlan {
    enum Action: Sendable {
        /// Reads a media playlist that an earlier process may have stored, and with it the files that the store has.
        case read(path: String)
        /// Asks the store if it has a file.
        case find(path: String)
        case put(path: String, Content)
        case delete(path: String)

        enum Content: Sendable {
            /// A segment or an initialization section, whose bytes never change.
            case file
            case playlist(PlaylistsPublication.Playlist)
        }

        var path: String {
            switch self {
            case .read(let path), .find(let path), .put(let path, _), .delete(let path): path
            }
        }
    }

    /// The result of an action.
    enum Outcome: Sendable {
        case answered(StoreAnswer, byteCount: Int)
        /// The files that a playlist names.
        case names(Set<String>)
        /// The bytes are no longer available.
        case gone
        /// The origin lists the file, and does not have it.
        case missing
    }
}
