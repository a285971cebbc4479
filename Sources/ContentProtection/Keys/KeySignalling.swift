package import MediaCore

/// The signalling for clients of one key system that a key's source gives, in place of what would be made here.
package struct KeySignalling: Hashable, Sendable {
    /// EXT-X-KEY's URI; nil where nothing is said of it.
    package var uri: String?
    /// The header for initialization sections; nil where nothing is said of it.
    package var header: ProtectionSystemHeader?
    /// The system's part of ALLOWED-CPC (RFC 8216bis § 4.4.6.2): its KEYFORMAT, and labels of what a player has to be
    /// able to protect; nil where nothing is said of it.
    package var allowedCPC: String?

    package init(uri: String? = nil, header: ProtectionSystemHeader? = nil, allowedCPC: String? = nil) {
        self.uri = uri
        self.header = header
        self.allowedCPC = allowedCPC
    }
}
