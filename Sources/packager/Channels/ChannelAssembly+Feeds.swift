import Channels
import Ingest
import MediaCore
import PackagerConfig
import Segmenting
import Timeline

extension ChannelAssembly {
    /// What is to be read for a channel, and where it goes on with what another one has read.
    ///
    /// - Parameters:
    ///   - settings: Of the channel.
    ///   - channel: Gets what is read.
    ///   - keyFrames: Where the newest key frame of each input is kept.
    ///   - predecessor: The channel whose place it takes; nil where there is none.
    /// - Returns: A request for each input, in their order.
    func requests(
        of settings: ChannelConfiguration,
        for channel: Channel,
        _ keyFrames: [InputID: NewestKeyFrames],
        after predecessor: ChannelPredecessor?
    ) -> [FeedReaders.Request] {
        var placements = predecessor?.placements ?? [:]
        let requests = zip(channel.configuration.inputs, settings.inputs + settings.backups).map { id, feed in
            let open = predecessor?.feeds?[feed.location].flatMap { $0.claim() ? $0 : nil }
            // Programs of one feed have one reader.
            let isShared = settings.program != nil && predecessor?.feeds?[feed.location] != nil
            placements[id]?.isRepeated = open != nil || isShared
            let pace: InputPace = !feed.isFinite ? .live : settings.isRealtime ? .paced : .stored
            return FeedReaders.Request(
                location: feed.location,
                options: .init(
                    isLooping: settings.isLooping,
                    isPaced: pace == .paced,
                    retries: pace != .stored,
                    audioTranscoding: settings.audioTranscoding,
                    subtitles: settings.wantedFeedSubtitles,
                    // What is read as fast as it can be is not judged.
                    checks: pace == .stored
                        ? ContentChecks()
                        : ContentChecks(pictures: settings.frozenAfter > .zero, audio: settings.silentAfter > .zero),
                    splicePIDs: settings.splicePIDs,
                    allowedPublishers: settings.allowedPublishers
                ),
                program: settings.program,
                consumer: channel.makeInput(id, pace: pace, keyFrames: keyFrames[id]),
                open: open
            )
        }
        channel.inherit(placements)
        return requests
    }
}
