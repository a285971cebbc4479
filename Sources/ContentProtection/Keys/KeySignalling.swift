package import MediaCore

/// What whoever gives a key has the clients of one key system told of it, in place of what would be made here.
package struct KeySignalling: Hashable, Sendable {
    /// EXT-X-KEY's URI; nil where nothing is said of it.
    package var uri: String?
    /// For initialization sections; nil where nothing is said of it.
    package var header: ProtectionSystemHeader?
    /// What of ALLOWED-CPC is the system's (RFC 8216bis § 4.4.6.2): its KEYFORMAT, and labels of what a player has to be able
    /// to protect; nil where nothing is said of it.
    package var allowedCPC: String?

    package init(uri: String? = nil, header: ProtectionSystemHeader? = nil, allowedCPC: String? = nil) {
        self.uri = uri
        self.header = header
        self.allowedCPC = allowedCPC
    }
}
