/// What becomes of a journal that was kept while the channel had another master secret.
package enum NewSecret: Hashable, Sendable {
    /// It is left as it is, and nothing starts: a slip that nobody has noticed would take viewers all that is listed.
    case refused
    /// It is taken over; segments whose keys were derived from the secret leave the window.
    case accepted(keysAreDerived: Bool)

    /// What the secret is called in a channel's configuration: as a value that is made with it, which tells nothing of it.
    package static let name = "key-secret"
}
