package import MediaCore

/// What everybody may know of a content key: what it is called, and where a client of one key system gets it.
package struct KeyReference: Hashable, Sendable {
    /// Whose client it is for.
    package var system: KeySystem
    package var keyID: KeyID
    /// As ``PeriodKey/constantIV``.
    package var constantIV: Bytes16
    /// Relative to the playlists, or absolute.
    package var uri: String
    /// What initialization sections say of it; nil where they say nothing.
    package var header: ProtectionSystemHeader?
    /// As ``PeriodKey/displayProtection``.
    package var displayProtection: DisplayProtection?
    /// As ``KeySignalling/allowedCPC``.
    package var allowedCPC: String?

    package init(
        system: KeySystem = .identity,
        keyID: KeyID,
        constantIV: Bytes16,
        uri: String,
        header: ProtectionSystemHeader? = nil,
        displayProtection: DisplayProtection? = nil,
        allowedCPC: String? = nil
    ) {
        self.system = system
        self.keyID = keyID
        self.constantIV = constantIV
        self.uri = uri
        self.header = header
        self.displayProtection = displayProtection
        self.allowedCPC = allowedCPC
    }
}
