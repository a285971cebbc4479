/// Where the media initialization section of a segment is: EXT-X-MAP (RFC 8216bis § 4.4.4.5).
package struct MediaInitialization: Hashable, Sendable {
    package var uri: String

    package init(uri: String) {
        self.uri = uri
    }
}
