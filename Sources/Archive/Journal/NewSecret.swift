/// The treatment of a journal from the time of another master secret.
package enum NewSecret: Hashable, Sendable {
    /// Refuse to start, and leave the window alone.
    ///
    /// Otherwise an unnoticed typo would empty the window.
    case refused
    /// Take the window over; segments whose keys were derived from the old secret leave it.
    case accepted(keysAreDerived: Bool)

    /// The name of the setting that represents the secret: its value is derived from the secret without revealing it.
    package static let name = "key-secret"
}
