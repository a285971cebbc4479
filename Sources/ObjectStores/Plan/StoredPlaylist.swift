import MediaCore
import Playlists
import Presentation

/// A playlist in the store.
struct StoredPlaylist: Sendable {
    private(set) var isThere = false
    /// The entity tag of its text at the origin; nil while that is unknown.
    private(set) var entityTag: String?
    /// The files that the playlist may name: a request without an answer may have been carried out.
    private(set) var names: PlaylistsPublication.Names?
    /// The slot after the newest listed one.
    private var end: MediaSequenceNumber?

    /// Notes that a text is being sent.
    mutating func begin(_ newest: PlaylistsPublication.Names) {
        entityTag = nil
        switch (names, newest) {
        case (.slots(let rendition, let before)?, .slots(_, let numbers)):
            let (first, end) = (min(before.lowerBound, numbers.lowerBound), max(before.upperBound, numbers.upperBound))
            names = .slots(rendition, first..<end)
        case (.playlists(let before)?, .playlists(let paths)): names = .playlists(before.union(paths))
        default: names = newest
        }
    }

    /// Notes that the playlist is being deleted.
    ///
    /// The answer may be lost.
    mutating func beginDeletion() { (isThere, entityTag) = (false, nil) }

    /// Notes that the store has a text.
    ///
    /// - Returns: The slots that no text listed before.
    mutating func end(_ playlist: PlaylistsPublication.Playlist) -> Range<MediaSequenceNumber> {
        (isThere, entityTag, names) = (true, playlist.entityTag, playlist.names)
        guard case .slots(_, let numbers) = playlist.names else {
            return MediaSequenceNumber(0)..<MediaSequenceNumber(0)
        }
        defer { end = numbers.upperBound }
        let first = min(max(end ?? numbers.lowerBound, numbers.lowerBound), numbers.upperBound)
        return first..<numbers.upperBound
    }

    /// Returns true if the playlist may name a file.
    func mayName(_ file: SavedWindow.File) -> Bool {
        guard case .slots(file.rendition, let numbers)? = names else { return false }
        return file.isNeeded(in: numbers)
    }

    /// Returns true if the playlist may name another.
    func mayName(playlist path: String) -> Bool {
        if case .playlists(let paths)? = names { paths.contains(path) } else { false }
    }
}

extension SavedWindow.File {
    /// Returns true if one of the slots needs it.
    func isNeeded(in numbers: Range<MediaSequenceNumber>) -> Bool {
        numbers.lowerBound <= lastNumber && firstNumber < numbers.upperBound
    }
}
