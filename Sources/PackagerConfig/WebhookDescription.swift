package import Operations

/// Someone who is told what happens, by HTTP.
package struct WebhookDescription: Hashable, Sendable {
    /// Absolute; it may have a secret in it.
    package var url = ""
    /// None stands for all.
    package var kinds: [ChannelEvent.Kind] = []
    /// The file of the key that messages are signed with.
    package var secretFile: String?
    /// The variable of the environment that has it instead.
    package var secretVariable: String?

    package init() {}
}
