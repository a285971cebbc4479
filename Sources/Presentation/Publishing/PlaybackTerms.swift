package import Playlists

/// A key source's demands on players and screens for one rendition; the configuration comes before them.
package struct PlaybackTerms: Hashable, Sendable {
    /// The HDCP level; nil for the level of the picture's size.
    var hdcpLevel: HDCPLevel?
    /// ALLOWED-CPC (``MultivariantPlaylist/Variant/allowedCPC``).
    var allowedCPC: String?

    package init(hdcpLevel: HDCPLevel? = nil, allowedCPC: String? = nil) {
        self.hdcpLevel = hdcpLevel
        self.allowedCPC = allowedCPC
    }
}
