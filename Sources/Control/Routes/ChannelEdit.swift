/// A change of a channel's configuration.
package enum ChannelEdit: Hashable, Sendable {
    /// It is to be as a text in JSON or YAML says, whether there is one or not.
    case put(String)
    /// A merge patch in JSON (RFC 7396) of the channel's configuration.
    case patch(String)
    case remove

    package var isPut: Bool {
        if case .put = self { true } else { false }
    }
}
