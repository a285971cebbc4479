/// Where the media initialization section of a segment is: EXT-X-MAP (RFC 8216bis § 4.4.4.5).
package struct MediaInitialization: Hashable, Sendable {
    package var uri: String
    /// Whether it is clear although its segments are encrypted: the key in force at its tag is none (RFC 8216bis
    /// § 4.4.4.4), and a new key needs no new one.
    package var isClear: Bool

    package init(uri: String, isClear: Bool = false) {
        self.uri = uri
        self.isClear = isClear
    }
}
