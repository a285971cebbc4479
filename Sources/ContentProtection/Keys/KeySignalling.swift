package import MediaCore

/// The signalling for clients of one key system that a key's source gives, in place of what would be made here.
package struct KeySignalling: Hashable, Sendable {
    /// EXT-X-KEY's URI; nil if the source does not give one.
    package var uri: String?
    /// The header for initialization sections; nil if the source does not give one.
    package var header: ProtectionSystemHeader?
    /// The system's part of ALLOWED-CPC (RFC 8216bis § 4.4.6.2): its KEYFORMAT, and labels of the protection that a
    /// player must support; nil if the source does not give them.
    package var allowedCPC: String?

    package init(uri: String? = nil, header: ProtectionSystemHeader? = nil, allowedCPC: String? = nil) {
        self.uri = uri
        self.header = header
        self.allowedCPC = allowedCPC
    }
}
