import Assets
import ContentProtection
import Ingest
import MediaCore
import ObjectStores
import Origin
import PackagerConfig
import Recording

/// The finished assets of a channel.
extension ChannelAssembly {
    /// Opens the assets of a channel, which lie in the directory of its recording.
    ///
    /// - Parameters:
    ///   - settings: The settings of the channel.
    ///   - resources: The resources that its settings name.
    ///   - recording: The recording; nil if nothing is recorded.
    ///   - watch: Notes assets that cannot be read.
    /// - Returns: The assets; nil if nothing is recorded.
    /// - Throws: ``SetupError`` if a file of a setting cannot be read.
    func assets(
        for settings: ChannelConfiguration,
        _ resources: ChannelResources,
        _ recording: Recording?,
        _ watch: DiskWatch
    ) throws(SetupError) -> AssetLibrary? {
        guard let recording, let directory = settings.recording.directory else { return nil }
        let picture: AssetMaker.Thumbnails = { [thumbnailMaker] in await thumbnailMaker.thumbnail(of: $0)?.bytes }
        var schedule = AssetSchedule()
        schedule.delay = settings.timeDelay
        return AssetLibrary(
            directory: "\(directory)/\(settings.name)/recordings",
            channel: settings.name,
            recording: recording,
            slot: settings.segmentDuration,
            schedule: schedule,
            keyAddresses: playlistAddresses(for: settings),
            keys: { [source = resources.keySource] slots in
                guard let source, let first = slots.min() else { return RecalledKeys([:]) }
                // A key that was late may have left the first slots to the key before it.
                let slots = slots.union([MediaSequenceNumber(first.value - (settings.slotsPerPeriod ?? 0))])
                let keys = settings.keyDirectory(source, KeyStore(capacity: slots.count))
                let refusal = await keys.recall(slots, from: source)
                return RecalledKeys(try keys.keys(availableFor: slots), refusal: refusal)
            },
            newKeys: try settings.assetKeys(of: resources.keySchedule),
            thumbnail: settings.thumbnails == .off ? nil : picture,
            time: { [clock] in clock.now },
            note: { watch.note($0) }
        )
    }
}

extension AssetLibrary: RecordingFiles {}
extension AssetLibrary: RecordingSource {}
