/// A change of a channel's configuration.
package enum ChannelEdit: Hashable, Sendable {
    /// Creates or replaces the channel, by a text in JSON or YAML.
    case put(String)
    /// A merge patch in JSON (RFC 7396) of the channel's configuration.
    case patch(String)
    case remove

    package var isPut: Bool {
        if case .put = self { true } else { false }
    }
}
