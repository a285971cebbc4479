package import MediaCore

/// The public part of a content key: its ID, and its address for clients of one key system.
package struct KeyReference: Hashable, Sendable {
    /// The key system of the client.
    package var system: KeySystem
    package var keyID: KeyID
    /// The same as ``PeriodKey/constantIV``.
    package var constantIV: Bytes16
    /// Relative to the playlists, or absolute.
    package var uri: String
    /// The header in initialization sections; nil if there is none.
    package var header: ProtectionSystemHeader?
    /// The same as ``PeriodKey/displayProtection``.
    package var displayProtection: DisplayProtection?
    /// The same as ``KeySignalling/allowedCPC``.
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
