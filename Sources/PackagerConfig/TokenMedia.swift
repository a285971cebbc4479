/// The place of the pass that viewers with a token get to playlists and media.
package enum TokenMedia: String, Hashable, Sendable, CaseIterable {
    /// No pass: everybody may have playlists and media.
    case off
    /// At the beginning of the paths.
    case path
    /// In a cookie.
    case cookie
}
