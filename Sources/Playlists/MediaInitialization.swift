/// Where the media initialization section of a segment is: EXT-X-MAP (RFC 8216bis § 4.4.4.5).
package struct MediaInitialization: Hashable, Sendable {
    package var uri: String
    /// What is in force at its tag, which need not be its segments' key (RFC 8216bis § 4.4.4.4); nil where it is clear.
    ///
    /// Of METHOD=AES-128 it has an initialization vector: a map has no media sequence number (§ 4.4.4.5).
    package var key: EncryptionKey?

    package init(uri: String, key: EncryptionKey? = nil) {
        self.uri = uri
        self.key = key
    }
}
