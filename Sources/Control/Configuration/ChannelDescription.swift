/// The configuration of a channel.
package struct ChannelDescription: Hashable, Sendable {
    /// A mapping of its settings, without secrets.
    package var json: String
    /// The strong entity tag, with its quotes, which changes with every change of the text.
    package var entityTag: String

    package init(json: String, entityTag: String) {
        self.json = json
        self.entityTag = entityTag
    }
}
