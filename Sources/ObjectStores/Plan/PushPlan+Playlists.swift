import MediaCore
import Playlists
import Presentation

/// The order of playlists, and the files that they name.
extension PushPlan {
    /// The playlists that the store does not have as they are served; the multivariant ones come last, since they name
    /// others.
    var outdated: [String] {
        let outdated = (playlists ?? [:]).filter {
            stored[$0.key]?.entityTag != $0.value.entityTag && !abandoned.contains($0.key)
        }
        return outdated.keys.sorted { (Self.isMultivariant($0) ? 1 : 0, $0) < (Self.isMultivariant($1) ? 1 : 0, $1) }
    }

    /// Returns true if the store has all that a playlist names.
    func isComplete(_ path: String) -> Bool {
        switch playlists?[path]?.names {
        case .slots(let rendition, let numbers):
            !(missing[rendition] ?? []).contains { files[$0]?.info.isNeeded(in: numbers) ?? false }
        case .playlists(let paths): paths.allSatisfy { stored[$0]?.isThere ?? false }
        case nil: false
        }
    }

    /// Returns true if the store has a playlist that the origin no longer serves, and that no other names.
    func canWithdraw(_ path: String) -> Bool {
        guard let playlists, playlists[path] == nil else { return false }
        return !stored.values.contains { $0.mayName(playlist: path) }
    }

    /// Returns true if no playlist names a file that is no longer served.
    ///
    /// Playlists of an earlier process may name it until each is replaced.
    func mayGo(_ file: SavedWindow.File) -> Bool {
        areAllPlaylistsThere && !stored.values.contains { $0.mayName(file) }
    }

    /// True if the store has all playlists.
    var areAllPlaylistsThere: Bool { playlists?.keys.allSatisfy { stored[$0]?.isThere ?? false } ?? false }

    private static func isMultivariant(_ path: String) -> Bool { MultivariantName(rawValue: path) != nil }
}
