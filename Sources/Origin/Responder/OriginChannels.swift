/// The channels that the origin serves, which come and go while it does.
package protocol OriginChannels: Sendable {
    /// The names in their order of listing: `/` shows the first.
    var names: [String] { get }

    /// Returns a channel by name; called for every request.
    subscript(name: Substring) -> OriginChannel? { get }

    /// Returns the media of a channel. It is called for nearly every request.
    func media(of name: Substring) -> ChannelMedia?
}

extension OriginChannels {
    package func media(of name: Substring) -> ChannelMedia? { self[name]?.media }
}
