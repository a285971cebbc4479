import Channels
import MediaCore
import Segmenting

/// An input that an operator holds on air, as it is found again in another channel of the same name.
struct HeldInput: Hashable, Codable, Sendable {
    /// The name that operators know, which another feed may have by then.
    var name: String
    /// The location of its feed; nil from versions that know the name alone.
    var location: String?

    /// Lists the inputs that are held in a channel, in their order.
    static func all(in channel: HostedChannel) -> [HeldInput] {
        let locations = Dictionary(uniqueKeysWithValues: feeds(of: channel).map { ($0.input, $0.location) })
        return channel.service.channel.latestStatus.held.map { input in
            HeldInput(name: input.description, location: locations[input])
        }
    }

    /// Finds the input that has the feed: of several, the one of the same name.
    ///
    /// - Returns: The input; nil if the channel has no such feed.
    func input(in channel: HostedChannel) -> InputID? {
        let feeds = Self.feeds(of: channel).filter { location == nil || $0.location == location }
        let same = feeds.first { $0.input.description == name } ?? (location == nil ? nil : feeds.first)
        return same?.input
    }

    private static func feeds(of channel: HostedChannel) -> [(input: InputID, location: String)] {
        zip(channel.service.channel.configuration.inputs, channel.service.readers).map { ($0, $1.feed.location) }
    }
}
