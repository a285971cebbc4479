package import Operations

/// A receiver of events by HTTP.
package struct WebhookDescription: Hashable, Sendable {
    /// Absolute; it may have a secret in it.
    package var url = ""
    /// The kinds of events that it gets; empty for all.
    package var kinds: [ChannelEvent.Kind] = []
    /// The file of the key that messages are signed with.
    package var secretFile: String?
    /// The environment variable with that key; nil if a file has it.
    package var secretVariable: String?

    package init() {}
}
