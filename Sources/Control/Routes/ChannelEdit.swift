/// A change of a channel's configuration.
package enum ChannelEdit: Hashable, Sendable {
    /// Create the channel, or replace it, as a text in JSON or YAML describes it.
    case put(String)
    /// A merge patch in JSON (RFC 7396) of the channel's configuration.
    case patch(String)
    case remove

    package var isPut: Bool {
        if case .put = self { true } else { false }
    }
}
