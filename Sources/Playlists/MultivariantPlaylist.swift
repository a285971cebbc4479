/// A multivariant playlist as a value: everything a channel offers (RFC 8216bis § 4.4.6).
package struct MultivariantPlaylist: Hashable, Sendable {
    package var variants: [Variant]
    package var renditions: [Rendition]
    /// Keys that a player may fetch before it opens a media playlist.
    package var sessionKeys: [EncryptionKey]
    /// Whether every segment of every rendition can be decoded without the one before.
    package var hasIndependentSegments: Bool

    package init(
        variants: [Variant],
        renditions: [Rendition] = [],
        sessionKeys: [EncryptionKey] = [],
        hasIndependentSegments: Bool = true
    ) {
        self.variants = variants
        self.renditions = renditions
        self.sessionKeys = sessionKeys
        self.hasIndependentSegments = hasIndependentSegments
    }

    /// The lowest protocol version whose features cover this playlist.
    ///
    /// RFC 8216bis § 8 asks for more than 1 only for features that this type cannot express.
    package var version: Int { 1 }
}
