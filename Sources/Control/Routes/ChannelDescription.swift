/// A channel as a configuration has it.
package struct ChannelDescription: Hashable, Sendable {
    /// A mapping of its settings, without secrets.
    package var json: String
    /// Strong, with its quotes; another one as soon as anything of it is written otherwise.
    package var entityTag: String

    package init(json: String, entityTag: String) {
        self.json = json
        self.entityTag = entityTag
    }
}
