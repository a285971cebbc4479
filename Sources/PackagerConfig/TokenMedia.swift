/// The place of the pass that viewers with a token get to playlists and media.
package enum TokenMedia: String, Hashable, Sendable, CaseIterable {
    /// No pass: everybody may have playlists and media.
    case off
    /// The pass is at the beginning of the paths.
    case path
    /// The pass is in a cookie.
    case cookie
}
