import Channels
import Ingest
import MediaCore
import PackagerConfig
import Segmenting
import Timeline

extension ChannelAssembly {
    /// Lists the feeds of a channel, and the places where it resumes those of another channel.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - channel: Gets the packets.
    ///   - keyFrames: The stores of the newest key frames of each input.
    ///   - predecessor: The channel that it replaces; nil if there is none.
    /// - Returns: A request for each input, in their order.
    func requests(
        of settings: ChannelConfiguration,
        for channel: Channel,
        _ keyFrames: [InputID: NewestKeyFrames],
        after predecessor: ChannelPredecessor?
    ) -> [FeedReaders.Request] {
        let feeds = Array(zip(channel.configuration.inputs, settings.inputs + settings.backups))
        let former = FormerInput.matched(
            predecessor?.inputs ?? [],
            with: feeds.map { (input: $0.0, location: $0.1.location) }
        ).found
        var inheritance = Inheritance()
        let requests = feeds.map { id, feed in
            let held = predecessor?.connections[feed.location]
            let open = predecessor?.feeds?[feed.location].flatMap { $0.claim() ? $0 : nil }
            // Programs of one feed have one reader.
            let isShared = settings.program != nil && predecessor?.feeds?[feed.location] != nil
            let isHandedOver = HandedPublishers.isExpected(at: feed.location)
            let isRepeated = open != nil || held != nil || isShared || isHandedOver
            inheritance.add(id, after: former[id], isRepeated: isRepeated)
            let pace = Self.pace(of: feed, settings)
            return FeedReaders.Request(
                location: feed.location,
                options: Self.options(for: feed, settings),
                program: settings.program,
                consumer: channel.makeInput(id, pace: pace, keyFrames: keyFrames[id]),
                open: open,
                held: held
            )
        }
        channel.inherit(inheritance.placements, isRepeated: inheritance.isRepeated)
        return requests
    }

    /// Finds the connections that a channel can continue with because their settings have not changed.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - readers: The readers of the channel whose place it takes.
    ///   - others: The channels that are added with it: a feed with programs for several is opened once for all.
    /// - Returns: Their readers by location.
    static func connections(
        for settings: ChannelConfiguration,
        of readers: [FeedReader],
        beside others: [ChannelConfiguration]
    ) -> [String: InputReader] {
        var connections: [String: InputReader] = [:]
        let feeds = (settings.inputs + settings.backups).filter { feed in
            !others.contains { $0.shares(feed, with: settings) }
        }
        for feed in feeds {
            var options = options(for: feed, settings)
            if let program = settings.program { options.programs = .numbers([program]) }
            let found = readers.compactMap(\.connection).filter { $0.location == feed.location }
            // Two inputs of one location are two connections.
            if found.count == 1, let reader = found.first, reader.options == options {
                connections[feed.location] = reader
            }
        }
        return connections
    }

    private static func pace(of feed: FeedLocation, _ settings: ChannelConfiguration) -> InputPace {
        !feed.isFinite ? .live : settings.isRealtime ? .paced : .stored
    }

    /// Lists the feeds of channels.
    ///
    /// - Returns: The options of each feed, by location. A shared one has those of its first channel, and is prompt if
    ///   any channel needs that.
    static func feeds(of channels: [ChannelConfiguration]) -> [String: InputReader.Options] {
        var feeds: [String: InputReader.Options] = [:]
        for channel in channels {
            for feed in channel.inputs + channel.backups {
                let options = options(for: feed, channel)
                let isPrompt = options.isPrompt || feeds[feed.location]?.isPrompt == true
                feeds[feed.location, default: options].isPrompt = isPrompt
            }
        }
        return feeds
    }

    /// Returns the options for reading a feed of a channel.
    static func options(for feed: FeedLocation, _ settings: ChannelConfiguration) -> InputReader.Options {
        let pace = pace(of: feed, settings)
        return .init(
            isLooping: settings.isLooping,
            isPaced: pace == .paced,
            retries: pace != .stored,
            isPrompt: settings.partTarget != nil && feed.feedProtocol?.transport == .datagrams,
            audioTranscoding: settings.audioTranscoding,
            subtitles: settings.wantedFeedSubtitles,
            // The pace of an unpaced feed is not judged.
            checks: pace == .stored
                ? ContentChecks()
                : ContentChecks(
                    pictures: settings.faults.frozenAfter > .zero,
                    audio: settings.faults.silentAfter > .zero
                ),
            splicePIDs: settings.splices.pids,
            allowedPublishers: settings.allowedPublishers
        )
    }
}

extension ChannelConfiguration {
    /// Returns true if one reader is to have the programs of both.
    fileprivate func shares(_ feed: FeedLocation, with other: ChannelConfiguration) -> Bool {
        guard let program, let otherProgram = other.program, name != other.name, program != otherProgram,
            (inputs + backups).contains(where: { $0.location == feed.location })
        else { return false }
        return ChannelAssembly.options(for: feed, self).sharable == ChannelAssembly.options(for: feed, other).sharable
    }
}
