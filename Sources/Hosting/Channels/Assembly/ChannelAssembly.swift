import Archive
import Channels
import ContentProtection
import Foundation
import Ingest
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import PackagerConfig
import Packaging
import Playlists
import Presentation
import Segmenting
import Timeline

/// Puts channels together from their configuration.
struct ChannelAssembly {
    let clock: SystemClock
    let events: EventLog
    let logger: Logger
    var keyDelivery = KeyDelivery()
    /// Whether it only finds out what keeps channels from being put together, and makes no file.
    private(set) var isRehearsal = false

    /// Of all channels.
    let thumbnailMaker = ThumbnailMaker()

    /// Those that live as long as the process, by channel.
    let volatileSecrets = VolatileSecrets()

    /// What is known of a channel before there are readers of its feeds.
    private typealias Draft = (parts: HostedChannel, requests: [FeedReaders.Request])

    /// Puts channels together, those of the programs of one feed with one reader.
    ///
    /// - Parameters:
    ///   - all: As a configuration that was read and checked has them.
    ///   - predecessors: By name, what those leave that these take the places of.
    /// - Returns: Those channels, in their order.
    /// - Throws: ``SetupError`` with everything that keeps them from it.
    func assemble(
        _ all: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor] = [:]
    ) async throws(SetupError) -> [HostedChannel] {
        var problems: [SetupProblem] = []
        var drafts: [Draft] = []
        for settings in all {
            do {
                let resources = try await ChannelResources(for: settings, self)
                drafts.append(try await draft(settings, resources, after: predecessors[settings.name]))
            } catch {
                problems += error.items
            }
        }
        guard problems.isEmpty else { throw SetupError(problems) }
        return zip(drafts, FeedReaders.readers(for: drafts.map(\.requests))).map { draft, readers in
            var channel = draft.parts
            channel.service.readers = readers
            return channel
        }
    }

    /// Finds out what keeps channels from being put together, as far as shows before it is done.
    ///
    /// - Returns: All of it.
    func problems(of channels: [ChannelConfiguration]) async -> [SetupProblem] {
        var rehearsal = self
        rehearsal.isRehearsal = true
        var problems: [SetupProblem] = []
        for settings in channels {
            do {
                _ = try await ChannelResources(for: settings, rehearsal)
            } catch {
                problems += error.items
            }
        }
        return problems
    }

    private func draft(
        _ settings: ChannelConfiguration,
        _ resources: ChannelResources,
        after predecessor: ChannelPredecessor?
    ) async throws(SetupError) -> Draft {
        if let predecessor, predecessor.streamIdentity != resources.streamIdentity {
            throw SetupError(
                "channel \(settings.name): its keys would be others than those of what it lists; remove it first, or give "
                    + "it another name"
            )
        }
        let grid = settings.grid
        let keySource = resources.keySource
        let keyStore = keyStore(for: settings)
        let identity = pairIdentity(of: settings, stream: resources.streamIdentity)
        let watch = DiskWatch(
            channel: settings.name,
            events: events,
            clock: { [clock] in clock.now },
            logger: logger
        )
        let (journal, saved) = try journal(for: settings, identity: resources.streamIdentity, watch)
        var listing = Presentation.Configuration(
            name: settings.name,
            targetDuration: grid.targetDuration,
            segmentDuration: settings.segmentDuration,
            windowDuration: settings.window,
            maximumBytes: settings.maximumMemory,
            pinnedBandwidth: Dictionary(
                settings.bandwidths.map {
                    (RenditionID($0.rendition), Bandwidth(peak: $0.peak, average: $0.average))
                }
            ) { first, _ in first },
            outputProtection: settings.outputProtection,
            hasKeyOfHDR: settings.keyClasses.contains(.hdr),
            allowedCPC: settings.allowedContentProtection,
            keyAddresses: playlistAddresses(for: settings)
        )
        listing.isOnDemand = settings.keepsWholeFeed
        tellOfChannel(settings, &listing)
        let keyFiles = try keyFiles(for: settings, watch)
        let mirror = try mirror(for: settings, localizedNames: resources.localizedNames, keys: keyFiles, watch)
        let presentation = Presentation(
            configuration: listing,
            consumers: ([journal, mirror ?? keyFiles] as [(any PublicationConsumer)?]).compactMap(\.self),
            store: settings.keepsWholeFeed ? mirror : journal
        )
        let endpoint = EndpointHealth(
            policy: EndpointPolicy(
                staleAfter: settings.staleAfter,
                failOn: Set(settings.failOn + (settings.lateKey == .fail ? [.noKey] : []))
            ),
            hasPeer: settings.peer != nil
        )
        let encryption = encryption(for: settings, keySource)
        let channel = Channel(
            configuration: decisions(for: settings, encryption, resources.filler),
            encryption: encryption,
            keys: keyStore,
            presentation: presentation,
            endpoint: endpoint,
            clock: clock,
            events: events,
            logger: logger,
            monitor: OnAirMonitor(keepsPictures: settings.thumbnails != .off)
        )
        let peer = settings.peer.map {
            PeerWatch(
                url: $0,
                credentials: PeerToken.credentials(resources.peerToken),
                authorities: resources.peerAuthorities,
                channel: settings.name,
                events: events,
                clock: clock,
                logger: logger
            )
        }
        let follow = try await resume(
            channel,
            from: saved ?? predecessor?.window,
            settings,
            identity,
            predecessor?.feeds == nil ? peer : nil
        )
        let schedule = ChannelSchedule(channel: channel, file: scheduleFile(for: settings, watch))
        if let predecessor { channel.recall(predecessor.schedule) }
        await schedule.recall(from: peer)
        let locations = zip(channel.configuration.inputs, settings.inputs + settings.backups)
        let feeds = Dictionary(uniqueKeysWithValues: locations.map { ($0, "\($1)") })
        let keyFrames = self.keyFrames(of: channel.configuration.inputs, settings)
        let requests = requests(of: settings, for: channel, keyFrames, after: predecessor)
        let directory = keySource.map { settings.keyDirectory($0, keyStore) }
        if let directory { keyFiles?.take(from: directory, for: presentation) }
        let service = ChannelService(
            channel: channel,
            feeds: feeds,
            readers: [],
            readSubtitles: { [clock, events, logger] in
                await SubtitleService(channel: channel, settings.subtitlesBesideFeeds, clock, events, logger).run()
            },
            journal: journal,
            mirror: mirror,
            follow: follow,
            recallKeys: { [presentation] in
                if let keySource { await directory?.recall(presentation.slotsWithKeys, from: keySource) }
            },
            compare: { [clock, presentation] in
                await peer?.compare(
                    presentation: presentation,
                    endpoint: endpoint,
                    agenda: schedule.agenda,
                    clock: clock,
                    began: channel.peerBegan
                )
            },
            ending: settings.endsByItself
                ? .whenWritten : settings.isOfPipesAlone ? .afterViewers(.seconds(3 * grid.targetDuration)) : .never
        )
        var keys = directory.map {
            ChannelKeys(
                directory: $0,
                references: references(for: settings, encryption),
                spread: settings.keySpread,
                licenseURI: licenseURI(for: settings),
                leaseSeconds: keyDelivery.leaseSeconds,
                presentation: presentation,
                currentSlot: { [clock] in grid.slot(at: clock.now) }
            )
        }
        keys?.isCBCS = settings.encryption == .sampleAES && settings.format.hasCommonEncryption
        keys?.outputProtection = settings.outputProtection
        let answer = PeerAnswer(
            revision: { [presentation] in .init(window: presentation.revision, isJoining: channel.isJoining) }
        ) { [presentation] in
            PeerDocument(configuration: identity, window: presentation.saved, isJoining: channel.isJoining)
        }
        var origin = OriginChannel(
            name: settings.name,
            presentation: presentation,
            keys: keys,
            endpoint: endpoint,
            peerAccess: peerAccess(of: settings, resources.peerToken),
            window: { try? answer.json() },
            health: { [clock, presentation] in
                let first = channel.firstNumber
                var health = endpoint.report(meters: presentation.meters, first: first, now: clock.now)
                health.schedule = channel.schedule.digest
                return try? health.json()
            },
            schedule: { (try? schedule.document.json()).map { ByteBuffer(bytes: $0) } }
        )
        origin.onAir = self.onAir(of: channel, settings)
        origin.ads = resources.ads
        origin.localizedNames = resources.localizedNames
        let operation = ChannelOperation(
            channel: channel,
            feeds: feeds,
            schedule: schedule,
            journal: journal,
            mirror: mirror,
            keyFiles: keyFiles,
            peer: peer,
            thumbnails: ChannelThumbnails(thumbnailMaker, onAir: channel.monitor.keyFrames, inputs: keyFrames)
        )
        return (
            HostedChannel(
                service: service,
                origin: origin,
                operation: operation,
                streamIdentity: resources.streamIdentity
            ), requests
        )
    }
}
