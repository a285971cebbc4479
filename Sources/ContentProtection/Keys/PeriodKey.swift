package import MediaCore

/// The key of one class of tracks during one crypto period.
package struct PeriodKey: Hashable, Sendable {
    package var period: CryptoPeriod
    package var keyClass: KeyClass
    package var keyID: KeyID
    package var contentKey: ContentKey
    /// The initialization vector of every sample (`cbcs`) or of initialization sections (AES-128) of the period.
    package var constantIV: Bytes16
    /// The signalling that a key server wants for players, by key system.
    package var signalling: [KeySystem: KeySignalling]
    /// The protection that it asks of displays; nil if it asks for none in particular.
    package var displayProtection: DisplayProtection?

    package init(
        period: CryptoPeriod,
        keyClass: KeyClass,
        keyID: KeyID,
        contentKey: ContentKey,
        constantIV: Bytes16,
        signalling: [KeySystem: KeySignalling] = [:],
        displayProtection: DisplayProtection? = nil
    ) {
        self.period = period
        self.keyClass = keyClass
        self.keyID = keyID
        self.contentKey = contentKey
        self.constantIV = constantIV
        self.signalling = signalling
        self.displayProtection = displayProtection
    }
}
