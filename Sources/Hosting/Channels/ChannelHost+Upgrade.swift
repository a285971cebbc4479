import Channels
import ContentProtection
import Ingest
import MediaCore
import PackagerConfig
import Segmenting
import Synchronization
import Timeline

/// Handing all channels to another process, and taking them back.
extension ChannelHost {
    /// The time after which all datagrams can be read that were sent to a socket before another took its port.
    static let drainTime = Duration.milliseconds(250)
    /// The time that a busy machine gets to read it.
    private static let longestDrain = Duration.seconds(2)
    /// The time that a reader gets to use the bytes that it has read.
    private static let longestSettling = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(10)

    /// Starts to keep the bytes of feeds that another reader can continue with.
    ///
    /// - Returns: The capture, which says when it is enough.
    func startCapture() async -> FeedCapture {
        HandedPublishers.startBuffering()
        let published = registry.members.filter { member in
            // An encoder may connect at any moment.
            member.service.readers.contains { $0.outcome(handsPublishersOver: true, isOpen: true) == .handedOver }
        }
        let kept = published + startCapture(of: registry.members) { _ in true }
        await untilSettled(registry.members)
        return FeedCapture(kept)
    }

    /// - Returns: The channels with a kept feed.
    private func startCapture(of members: [HostedChannel], where isWanted: (String) -> Bool) -> [HostedChannel] {
        members.filter { member in
            let captured = member.service.readers.compactMap(\.capture).filter { isWanted($0.location) }
            for feed in captured { feed.bytes.start() }
            return !captured.isEmpty
        }
    }

    /// Holds the connections that channels take over from others, and keeps their data.
    ///
    /// - Parameters:
    ///   - members: The channels that have the connections.
    ///   - channels: The channels that take their places.
    ///   - added: The channels that come beside them.
    /// - Returns: Their readers, by channel and location.
    func hold(
        _ members: [HostedChannel],
        for channels: [ChannelConfiguration],
        adding added: [ChannelConfiguration]
    ) -> [String: [String: InputReader]] {
        var connections: [String: [String: InputReader]] = [:]
        for member in members {
            guard let settings = channels.first(where: { $0.name == member.name }) else { continue }
            let readers = member.service.readers
            let own = ChannelAssembly.connections(for: settings, of: readers, beside: channels + added)
            for reader in own.values { reader.hold() }
            if !own.isEmpty { connections[member.name] = own }
        }
        return connections
    }

    /// The encoders that a change cuts off, one sentence each.
    func disconnections(by change: ConfigurationChange) -> [String] {
        registry.members.flatMap { member -> [String] in
            let readers = member.service.readers
            var kept: [String: InputReader] = [:]
            if let settings = change.changed.first(where: { $0.name == member.name }) {
                let others = change.changed + change.added
                kept = ChannelAssembly.connections(for: settings, of: readers, beside: others)
            } else if !change.removed.contains(where: { $0.name == member.name }) {
                return []
            }
            let connected = inputs(of: member).filter(\.isOpen).compactMap(\.reader.connection)
            return connected.filter { $0.isListening && kept[$0.location] == nil }.map { reader in
                "channel \(member.name): an encoder that sends to \(FeedLocation(reader.location)) is cut off"
            }
        }
    }

    /// Returns the inputs of a channel in their order, with their readers, and true for those that are open.
    private func inputs(of member: HostedChannel) -> [(input: InputID, reader: FeedReader, isOpen: Bool)] {
        let channel = member.service.channel
        let open = Set(channel.status(at: channel.clock.now).inputs.filter(\.health.isOpen).map(\.id))
        return zip(channel.configuration.inputs, member.service.readers).map { ($0, $1, open.contains($0)) }
    }

    /// The encoders that a successor of this process cuts off, one sentence each; those that publish by
    /// RTMP are among them if it cannot take over their connections.
    func disconnections(handsPublishersOver: Bool) -> [String] {
        outcomes(handsPublishersOver: handsPublishersOver).filter { $0.outcome == .cutOff }
            .map { "channel \($0.channel): an encoder that sends to \($0.feed) is cut off" }
    }

    /// Decides the outcome of an upgrade for every input.
    ///
    /// - Parameter handsPublishersOver: True if that process can take over the connections of RTMP encoders.
    /// - Returns: An outcome for each input, in the order of channels.
    func outcomes(handsPublishersOver: Bool) -> [InputOutcome] {
        registry.members.flatMap { member in
            inputs(of: member).map { input, reader, isOpen in
                InputOutcome(
                    channel: member.name,
                    input: input,
                    feed: reader.feed,
                    outcome: reader.outcome(handsPublishersOver: handsPublishersOver, isOpen: isOpen)
                )
            }
        }
    }

    /// Opens the feeds that channels take over from others, once those have kept enough of them, and of
    /// connections that are held.
    ///
    /// - Parameters:
    ///   - members: The channels that read them.
    ///   - channels: The channels that take their places.
    ///   - added: The channels that come beside them, and may have a program of the same feed.
    ///   - connections: The connections that are held, by channel and location.
    /// - Returns: The feeds, by location.
    func openFeeds(
        of members: [HostedChannel],
        for channels: [ChannelConfiguration],
        adding added: [ChannelConfiguration],
        beside connections: [String: [String: InputReader]]
    ) async -> [String: OpenFeed] {
        // Feeds that only the added channels read are opened by their readers.
        let own = ChannelAssembly.feeds(of: channels)
        let wanted = ChannelAssembly.feeds(of: channels + added).filter { own[$0.key] != nil }
        // Other channels continue reading shared feeds.
        let others = registry.members.filter { other in !members.contains { $0.name == other.name } }
        let shared = Set(others.flatMap { $0.service.readers.compactMap(\.capture?.location) })
        let held = members.filter { connections[$0.name] != nil }
        let kept = held + startCapture(of: members) { wanted[$0] != nil && !shared.contains($0) }
        if kept.isEmpty { return [:] }
        await untilSettled(members)
        await FeedCapture(kept).untilEnough()
        var feeds: [String: OpenFeed] = [:]
        for (location, options) in wanted where !shared.contains(location) {
            // The reader retries a feed that cannot be opened now.
            if let feed = try? OpenFeed(opening: location, options: options) { feeds[location] = feed }
        }
        try? await Task.sleep(for: Self.drainTime)
        await untilDrained(members)
        return feeds
    }

    /// Returns once channels have all data of their feeds that was read before the capture.
    ///
    /// A busy reader, or one that begins with another's data, may hold some slots of it.
    private func untilSettled(_ members: [HostedChannel]) async {
        let kept = members.flatMap { $0.service.readers.compactMap(\.capture?.bytes) }
        let end = ContinuousClock.now + Self.longestSettling
        while kept.contains(where: { !$0.isSettled }), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
    }

    /// Returns once the readers of captured feeds have read all waiting data.
    func untilDrained() async { await untilDrained(registry.members) }

    private func untilDrained(_ members: [HostedChannel]) async {
        let kept = members.flatMap { $0.service.readers.compactMap(\.capture?.bytes) }
        let end = ContinuousClock.now + Self.longestDrain
        while kept.contains(where: { !$0.isComplete }), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
    }

    /// Resumes channels from the feeds that their predecessors have read.
    func resume(
        with feeds: [String: OpenFeed],
        of members: [HostedChannel],
        _ predecessors: inout [String: ChannelPredecessor]
    ) {
        if feeds.isEmpty { return }
        for (location, bytes) in captured(of: members) { feeds[location]?.resume(after: bytes) }
        for name in predecessors.keys { predecessors[name]?.feeds = feeds }
    }

    /// The reason why no other process can resume a channel; nil if one can.
    var obstacle: String? {
        for channel in configurations {
            if (channel.inputs + channel.backups).contains(where: \.isStandardInput) {
                return "channel \(channel.name) reads standard input, which cannot be handed over"
            }
            if !channel.isRealtime {
                return "channel \(channel.name) runs with --no-realtime, and would start over"
            }
        }
        return nil
    }

    /// The settings that the numbers and keys of each channel depend on.
    var streamIdentities: [String: [String: String]] {
        Dictionary(registry.members.map { ($0.name, $0.streamIdentity) }) { first, _ in first }
    }

    /// Drops the kept bytes.
    func discardCapture() {
        HandedPublishers.stopBuffering()
        for member in registry.members { for reader in member.service.readers { reader.capture?.bytes.clear() } }
    }

    /// Releases all channels: their decisions are published, they make no others, and their windows are still served.
    ///
    /// - Parameter places: The places where windows are looked for next, by channel; where they are now if that is not
    ///   known.
    /// - Returns: The state that each leaves, in their order.
    func releaseChannels(
        to places: [String: WindowPlace]
    ) async -> [(name: String, predecessor: ChannelPredecessor)] {
        state.withLock { $0.isReleased = true }
        var left: [(name: String, predecessor: ChannelPredecessor)] = []
        for member in registry.members {
            await pause(member)
            let place = state.withLock { $0.configurations[member.name].map(WindowPlace.init) }
            let leavesDisk = places[member.name].map { $0 != place } ?? false
            left.append((member.name, ChannelPredecessor(member, leavesDisk: leavesDisk)))
        }
        return left
    }

    /// The bytes of feeds since the capture began, by location.
    var captured: [String: [UInt8]] { captured(of: registry.members) }

    private func captured(of members: [HostedChannel]) -> [String: [UInt8]] {
        let captured = members.flatMap { $0.service.readers.compactMap(\.capture) }
        return Dictionary(captured.map { ($0.location, $0.bytes.bytes) }) { $0.count >= $1.count ? $0 : $1 }
    }

    /// Resumes released channels.
    ///
    /// - Throws: ``SetupError`` with everything that keeps them from it.
    func resumeChannels(_ left: [(name: String, predecessor: ChannelPredecessor)]) async throws(SetupError) {
        state.withLock { $0.isReleased = false }
        let predecessors = Dictionary(left.map { ($0.name, $0.predecessor) }) { first, _ in first }
        try await put(configurations.filter { predecessors[$0.name] != nil }, after: predecessors)
    }
}
