package import Playlists

/// What whoever gave the key of a rendition asks of players and screens; what the operator says comes before it.
package struct PlaybackTerms: Hashable, Sendable {
    /// Nil for what follows from the size of the picture.
    var hdcpLevel: HDCPLevel?
    /// As ``MultivariantPlaylist/Variant/allowedCPC``.
    var allowedCPC: String?

    package init(hdcpLevel: HDCPLevel? = nil, allowedCPC: String? = nil) {
        self.hdcpLevel = hdcpLevel
        self.allowedCPC = allowedCPC
    }
}
