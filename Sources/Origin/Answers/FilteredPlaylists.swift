import NIOCore
import Playlists
import Presentation
import Synchronization

/// The recently made filtered forms of a channel's multivariant playlists.
///
/// Viewers can invent any number of filters, so only a few are kept, and only for the playlists that are served now.
final class FilteredPlaylists: Sendable {
    private struct Entry {
        /// The playlist that it was made of.
        var source: PlaylistText
        var filter: MultivariantFilter
        var text: PlaylistText
    }

    /// The oldest is first.
    private let entries = Mutex<[Entry]>([])

    static let capacity = 32

    /// Returns a filtered playlist if it is kept; nil if it must be made.
    func known(_ filter: MultivariantFilter, of source: PlaylistText) -> PlaylistText? {
        entries.withLock { entries in
            entries.last { $0.source === source && $0.filter == filter }?.text
        }
    }

    /// Returns a filtered playlist; making it takes time.
    ///
    /// - Throws: ``FilterError/nothingLeft``; ``PlaylistParsingError`` never, because the text was rendered here.
    func text(_ filter: MultivariantFilter, of source: PlaylistText) throws -> PlaylistText {
        let whole = try MultivariantPlaylist(parsing: String(buffer: source.plain.body))
        let text = PlaylistText(text: try filter.applied(to: whole).render())
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(Entry(source: source, filter: filter, text: text))
        }
        return text
    }
}
