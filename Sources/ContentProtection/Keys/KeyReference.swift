package import MediaCore

/// What everybody may know of a content key: what it is called, and where a client of one key system gets it.
package struct KeyReference: Hashable, Sendable {
    package var keyID: KeyID
    /// As ``PeriodKey/constantIV``.
    package var constantIV: Bytes16
    /// Relative to the playlists, or absolute.
    package var uri: String

    package init(keyID: KeyID, constantIV: Bytes16, uri: String) {
        self.keyID = keyID
        self.constantIV = constantIV
        self.uri = uri
    }
}
