import Archive
import Channels
import ContentProtection
import MediaCore
import NIOCore
import ObjectStores
import Operations
import Origin
import PackagerConfig
import Packaging
import Playlists
import Presentation
import Recording
import Segmenting
import Timeline

/// The parts of a channel before it resumes anything.
extension ChannelAssembly {
    /// Makes the parts of a channel.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - resources: The resources that its settings name.
    /// - Returns: The parts, with the window that its journal has kept.
    /// - Throws: ``SetupError`` if it cannot write.
    func components(
        of settings: ChannelConfiguration,
        _ resources: ChannelResources
    ) throws(SetupError) -> (ChannelComponents, saved: RestoredWindow?) {
        let keyStore = keyStore(for: settings)
        let (storage, saved) = try storage(for: settings, resources)
        let presentation = presentation(for: settings, storage)
        let endpoint = endpoint(for: settings)
        let encryption = encryption(for: settings, askedSource(resources.keySource, keyStore))
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
        let peer = peer(of: settings, resources)
        let components = ChannelComponents(
            settings: settings,
            resources: resources,
            identity: pairIdentity(of: settings, stream: resources.streamIdentity),
            storage: storage,
            presentation: presentation,
            endpoint: endpoint,
            encryption: encryption,
            channel: channel,
            peer: peer,
            healing: healing(of: settings, storage, peer, hasSecret: resources.peerToken != nil),
            steering: steering(of: settings),
            schedule: ChannelSchedule(channel: channel, file: scheduleFile(for: settings, storage.watch)),
            keyStore: keyStore,
            keyDirectory: resources.keySource.map { settings.keyDirectory($0, keyStore) },
            keyFrames: keyFrames(of: channel.configuration.inputs, settings)
        )
        return (components, saved)
    }

    /// Opens the files that a channel writes.
    private func storage(
        for settings: ChannelConfiguration,
        _ resources: ChannelResources
    ) throws(SetupError) -> (ChannelStorage, saved: RestoredWindow?) {
        let watch = DiskWatch(
            channel: settings.name,
            events: events,
            clock: { [clock] in clock.now },
            logger: logger
        )
        let recorder = try recorder(for: settings, watch)
        let (journal, saved) = try journal(for: settings, identity: resources.streamIdentity, media: recorder, watch)
        let keyFiles = try keyFiles(for: settings, watch)
        let mirror = try mirror(for: settings, localizedNames: resources.localizedNames, keys: keyFiles, watch)
        let assets = try assets(for: settings, resources, recorder?.recording, watch)
        let storage = ChannelStorage(
            journal: journal,
            recorder: recorder,
            assets: assets,
            mirror: mirror,
            keyFiles: keyFiles,
            pushes: try pushes(
                to: resources.pushTargets,
                settings,
                localizedNames: resources.localizedNames,
                recordings: assets
            ),
            watch: watch
        )
        return (storage, saved)
    }

    private func presentation(for settings: ChannelConfiguration, _ storage: ChannelStorage) -> Presentation {
        var listing = Presentation.Configuration(
            name: settings.name,
            targetDuration: settings.grid.targetDuration,
            segmentDuration: settings.segmentDuration,
            windowDuration: settings.window,
            maximumBytes: settings.maximumMemory,
            partTarget: settings.partTarget,
            pinnedBandwidth: Dictionary(
                settings.bandwidths.map {
                    (RenditionID($0.rendition), Bandwidth(peak: $0.peak, average: $0.average))
                }
            ) { first, _ in first },
            outputProtection: settings.outputProtection,
            hasKeyOfHDR: settings.keys.classes.contains(.hdr),
            allowedCPC: settings.allowedContentProtection,
            keyAddresses: playlistAddresses(for: settings)
        )
        listing.isOnDemand = settings.keepsWholeFeed
        // A job has no viewers, so written segments need not stay in memory.
        listing.keepsMediaInMemory = !settings.endsByItself
        addChannelLines(settings, &listing)
        return Presentation(
            configuration: listing,
            consumers: storage.consumers,
            store: settings.endsByItself ? storage.mirror : storage.store
        )
    }

    private func endpoint(for settings: ChannelConfiguration) -> EndpointHealth {
        EndpointHealth(
            policy: EndpointPolicy(
                staleAfter: settings.faults.staleAfter,
                failOn: Set(settings.faults.failOn + (settings.keys.lateKey == .fail ? [.noKey] : []))
            ),
            hasPeer: settings.peer != nil
        )
    }

    private func peer(of settings: ChannelConfiguration, _ resources: ChannelResources) -> PeerWatch? {
        settings.peer.map {
            PeerWatch(
                url: $0,
                credentials: PeerToken.credentials(resources.peerToken),
                authorities: resources.peerAuthorities,
                channel: settings.name,
                mediaPrefix: { [passKey] in passKey?.pathPrefix(for: settings.name, lasting: 600) ?? "" },
                events: events,
                clock: clock,
                logger: logger
            )
        }
    }
}
