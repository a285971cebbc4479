/// What is to become of a channel.
package enum ChannelEdit: Hashable, Sendable {
    /// It is to be as a text in JSON or YAML says, whether there is one or not.
    case put(String)
    /// Of what is written of it, what a merge patch in JSON says (RFC 7396) is to change.
    case patch(String)
    case remove

    package var isPut: Bool {
        if case .put = self { true } else { false }
    }
}
