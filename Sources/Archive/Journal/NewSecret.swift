/// The treatment of a journal that was kept while the channel had another master secret.
package enum NewSecret: Hashable, Sendable {
    /// It is left as it is, and nothing starts: a slip that nobody has noticed would take viewers all that is listed.
    case refused
    /// It is taken over; segments whose keys were derived from the secret leave the window.
    case accepted(keysAreDerived: Bool)

    /// The name of the setting that stands for the secret: its value is made with the secret, and tells nothing of it.
    package static let name = "key-secret"
}
