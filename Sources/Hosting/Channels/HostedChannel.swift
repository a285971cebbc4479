import Channels
import Origin

/// A channel of the process: its runner, and its views for the origin and the control API.
final class HostedChannel: Sendable {
    let service: ChannelService
    let origin: OriginChannel
    let operation: ChannelOperation
    /// The settings that the numbers, names and keys of its segments depend on.
    let streamIdentity: [String: String]
    /// Runs and closes the channel.
    let runner: any ChannelRunner

    /// - Parameters:
    ///   - service: The service of the channel.
    ///   - origin: The part of it that the origin serves.
    ///   - operation: The part of it that the control API shows.
    ///   - streamIdentity: The settings that the numbers, names and keys of its segments depend on.
    ///   - runner: Runs and closes the channel; nil for its service.
    init(
        service: ChannelService,
        origin: OriginChannel,
        operation: ChannelOperation,
        streamIdentity: [String: String],
        runner: (any ChannelRunner)? = nil
    ) {
        self.service = service
        self.origin = origin
        self.operation = operation
        self.streamIdentity = streamIdentity
        self.runner = runner ?? service
    }

    var name: String { origin.name }
}

/// Runs one channel, and closes it.
protocol ChannelRunner: Sendable {
    /// Returns once it is cancelled, or has ended if that ends the program.
    ///
    /// - Returns: The reason if it has ended for want of a feed; nil otherwise.
    func run() async -> FeedError?

    /// Closes its inputs, and finishes publishing and writing.
    ///
    /// - Parameter ends: True if the stream ends.
    func close(ends: Bool) async
}

extension ChannelRegistry: OriginChannels where Member == HostedChannel {
    subscript(name: Substring) -> OriginChannel? { (self[name] as HostedChannel?)?.origin }

    func media(of name: Substring) -> ChannelMedia? { (self[name] as HostedChannel?)?.origin.media }
}
