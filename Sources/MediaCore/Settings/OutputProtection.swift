/// The protection that the cable to a screen must have before a key decrypts (HDCP-LEVEL, RFC 8216bis § 4.4.6.2).
package enum OutputProtection: String, Hashable, Sendable, CaseIterable {
    /// The protection of Apple's authoring specification § 13.5 and 13.6, by the size of the picture.
    case automatic
    /// Playlists name no level.
    case none
    case type0 = "type-0"
    case type1 = "type-1"
}
