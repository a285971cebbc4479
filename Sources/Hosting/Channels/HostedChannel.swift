import Channels
import Origin

/// A channel of the process: what runs it, and what the origin and the control API see of it.
struct HostedChannel {
    var service: ChannelService
    let origin: OriginChannel
    let operation: ChannelOperation
    /// What the numbers, names and keys of its segments depend on.
    let streamIdentity: [String: String]

    var name: String { origin.name }
}

extension ChannelRegistry: OriginChannels where Member == HostedChannel {
    subscript(name: Substring) -> OriginChannel? { (self[name] as HostedChannel?)?.origin }
}
