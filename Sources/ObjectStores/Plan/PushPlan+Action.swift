import Presentation

extension PushPlan {
    enum Action: Sendable {
        /// Reads a media playlist that an earlier process may have stored: what it names is there.
        case read(path: String)
        /// Finds out if an earlier process has stored a file.
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
        /// There are no bytes any more.
        case gone
    }
}
