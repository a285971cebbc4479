/// The media initialization section of a segment: EXT-X-MAP (RFC 8216bis § 4.4.4.5).
package struct MediaInitialization: Hashable, Sendable {
    package var uri: String
    /// The keys in force at its tag, which need not be its segments' keys (RFC 8216bis § 4.4.4.4); empty if it is
    /// clear.
    ///
    /// A key of METHOD=AES-128 has an initialization vector: a map has no media sequence number (§ 4.4.4.5).
    package var keys: [EncryptionKey]

    package init(uri: String, keys: [EncryptionKey] = []) {
        self.uri = uri
        self.keys = keys
    }
}
