/// The state of one webhook, as the control API shows it.
package struct WebhookStatus: Hashable, Codable, Sendable {
    /// The host that it is posted to: the rest of its URL may be secret.
    package var name: String
    /// Events since the start that it has taken.
    package var delivered = 0
    /// Events since the start that will never be delivered.
    package var dropped = 0
    /// Events in memory that it has not taken yet.
    package var waiting = 0
    /// The reason why it takes none at the moment, in one phrase.
    package var problem: String?

    package init(name: String) {
        self.name = name
    }
}
