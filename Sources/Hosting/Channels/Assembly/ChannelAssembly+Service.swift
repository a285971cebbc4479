import Archive
import Assets
import Channels
import ContentProtection
import Foundation
import Logging
import MediaCore
import NIOCore
import ObjectStores
import Operations
import Origin
import PackagerConfig
import Playlists
import Presentation
import Recording
import Segmenting
import Timeline

/// The service, the origin's view and the control API's view of a channel.
extension ChannelAssembly {
    /// Makes the service that runs a channel.
    ///
    /// - Parameters:
    ///   - components: The parts of the channel.
    ///   - readers: The readers of its feeds, in the order of its inputs.
    ///   - follow: Has the channel resume from its peer's window; nil if it does not.
    /// - Returns: The service.
    func service(
        of components: ChannelComponents,
        _ readers: [FeedReader],
        follow: (@Sendable () async -> Void)?
    ) -> ChannelService {
        let (channel, presentation, peer) = (components.channel, components.presentation, components.peer)
        let (settings, storage, schedule) = (components.settings, components.storage, components.schedule)
        let (keySource, directory) = (components.resources.keySource, components.keyDirectory)
        return ChannelService(
            channel: channel,
            feeds: components.feeds,
            readers: readers,
            readSubtitles: { [clock, events, logger] in
                await SubtitleService(channel: channel, settings.subtitlesBesideFeeds, clock, events, logger).run()
            },
            journal: storage.journal,
            recorder: storage.recorder,
            mirror: storage.mirror,
            pushes: storage.pushes,
            follow: follow,
            recallKeys: { [presentation, logger, assets = storage.assets, watch = storage.watch] in
                // A key server that is away must not hold up the finished recordings.
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        guard let keySource, let directory else { return }
                        await directory.recallAll({ presentation.slotsWithKeys }, from: keySource) {
                            Self.note($0, ofChannel: settings.name, logger)
                        }
                    }
                    group.addTask { await assets?.recallKeys { watch.note($0) } }
                }
            },
            givenKeys: { [store = components.keyStore] in GivenKeys(store.all, to: settings) },
            compare: { [clock, presentation, endpoint = components.endpoint] in
                await peer?.compare(
                    presentation: presentation,
                    endpoint: endpoint,
                    sharedSchedule: schedule.sharedSchedule,
                    clock: clock,
                    began: channel.peerBegan
                )
            },
            upkeep: storage.recorder.map { RecordingUpkeep($0.recording, clock) },
            assetUpkeep: storage.assets.map { assets in
                AssetUpkeep(assets, clock, pushes: storage.pushes.compactMap(\.recordings)) { [watch = storage.watch] in
                    watch.note($0)
                }
            },
            healing: components.healing,
            heal: components.heal,
            steer: { [steering = pathwayWatch(of: components)] in await steering?.run() },
            ending: ending(of: settings)
        )
    }

    private func pathwayWatch(of components: ChannelComponents) -> PathwayWatch? {
        components.steering.map { steering in
            PathwayWatch(
                steering: steering,
                channel: components.settings.name,
                prefix: { [passKey, name = components.settings.name] in
                    passKey?.pathPrefix(for: name, lasting: 60) ?? ""
                },
                logger: logger
            )
        }
    }

    private func ending(of settings: ChannelConfiguration) -> ChannelService.Ending {
        if settings.endsByItself { return .whenWritten }
        return settings.isOfPipesAlone ? .afterViewers(.seconds(3 * settings.grid.targetDuration)) : .never
    }

    /// Makes the resources that the origin serves of a channel.
    func origin(of components: ChannelComponents) -> OriginChannel {
        let (channel, presentation) = (components.channel, components.presentation)
        let (settings, endpoint, schedule) = (components.settings, components.endpoint, components.schedule)
        let answer = PeerAnswer(
            revision: { [presentation] in .init(window: presentation.revision, isJoining: channel.isJoining) }
        ) { [presentation, identity = components.identity] in
            PeerDocument(configuration: identity, window: presentation.saved, isJoining: channel.isJoining)
        }
        let pastKeys = components.pastKeys(clock)
        var origin = OriginChannel(
            name: settings.name,
            presentation: presentation,
            keys: keys(of: components, past: pastKeys),
            endpoint: endpoint,
            peerAccess: peerAccess(of: settings, components.resources.peerToken),
            window: { try? answer.json() },
            health: { [clock, presentation] in
                let first = channel.firstNumber
                var health = endpoint.report(meters: presentation.meters, first: first, now: clock.now)
                health.schedule = channel.schedule.digest
                return try? health.json()
            },
            schedule: { (try? schedule.document.json()).map { ByteBuffer(bytes: $0) } }
        )
        origin.isPeer = { [peer = components.peer] address in peer?.isReached(at: address) ?? false }
        origin.holdsNext = settings.holdsNext
        origin.isPaired = settings.peer != nil
        origin.past = components.past(with: pastKeys)
        origin.onAir = onAir(of: channel, components.storage.recorder?.recording, settings)
        origin.recordings = components.storage.assets
        origin.ads = components.resources.ads
        origin.steering = components.steering
        origin.localizedNames = components.resources.localizedNames
        return origin
    }

    private func keys(of components: ChannelComponents, past: PastKeys?) -> ChannelKeys? {
        guard let directory = components.keyDirectory else { return nil }
        let settings = components.settings
        var keys = ChannelKeys(
            directory: directory,
            references: references(for: settings, components.encryption),
            spread: settings.keys.spread,
            licenseURI: licenseURI(for: settings),
            leaseSeconds: keyDelivery.leaseSeconds,
            presentation: components.presentation,
            currentSlot: { [clock, grid = settings.grid] in grid.slot(at: clock.now) }
        )
        keys.isCBCS = settings.encryption == .sampleAES && settings.format.hasCommonEncryption
        keys.outputProtection = settings.outputProtection
        keys.past = past
        keys.delay = (of: settings.viewerDelay, now: { [clock] in clock.now })
        if let assets = components.storage.assets {
            keys.recordings = { [clock] keyID in
                let now = clock.now
                if let key = try assets.key(keyID, now: now) { return key }
                return try assets.firstSlot(of: keyID, now: now).flatMap { try past?.key(keyID, of: $0) }
            }
        }
        return keys
    }

    /// Makes the operations and views of a channel for the control API.
    func operation(of components: ChannelComponents) -> ChannelOperation {
        ChannelOperation(
            channel: components.channel,
            feeds: components.feeds,
            schedule: components.schedule,
            journal: components.storage.journal,
            recording: components.storage.recorder?.recording,
            healing: components.healing,
            assets: components.storage.assets.map { PushedAssets(library: $0, pushes: components.storage.pushes) },
            mirror: components.storage.mirror,
            keyFiles: components.storage.keyFiles,
            pushes: components.storage.pushes,
            peer: components.peer,
            thumbnails: ChannelThumbnails(
                thumbnailMaker,
                onAir: components.channel.monitor.keyFrames,
                inputs: components.keyFrames
            )
        )
    }
}

extension ChannelAssembly {
    /// Logs that the keys of listed segments are missing, or that none is any more.
    private static func note(_ recall: KeyAvailabilityChange, ofChannel channel: String, _ logger: Logger) {
        switch recall {
        case .missing(let reason):
            logger.warning(
                "keys of listed segments are missing",
                metadata: [
                    "channel": "\(channel)", "problem": "\(reason)",
                    "viewers":
                        "they cannot play the segments from before the restart, unless a licence server has the keys",
                    "do": "check the key source; it is asked again by itself",
                ]
            )
        case .known:
            logger.notice("keys of listed segments are there again", metadata: ["channel": "\(channel)"])
        case .expired:
            logger.notice("segments without keys have left the window", metadata: ["channel": "\(channel)"])
        }
    }
}
