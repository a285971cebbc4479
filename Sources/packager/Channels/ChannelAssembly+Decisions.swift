import Channels
import ContentProtection
import MediaCore
import PackagerConfig
import Packaging
import Playlists
import Scheduling
import Segmenting
import Timeline

extension ChannelAssembly {
    /// What the channel's engine goes by.
    func decisions(
        for settings: ChannelConfiguration,
        _ encryption: ChannelEncryption,
        _ filler: LossFiller
    ) -> ChannelEngine.Configuration {
        var configuration = ChannelEngine.Configuration(
            name: settings.name,
            grid: settings.grid,
            clock: settings.clock,
            timecode: TimecodeClock(zone: settings.timecodeOffset),
            isSampleEncrypted: encryption.isOfSamples,
            clearLead: settings.clearLeadSlots,
            keyClasses: KeyClasses(apart: settings.keyClasses),
            lateKey: settings.lateKey,
            offersSessionKeys: settings.offersSessionKeys,
            hintedKey: settings.hintedKey,
            format: settings.format,
            program: settings.program,
            inputCount: settings.inputs.count,
            backupCount: settings.backups.count,
            isPaced: settings.isRealtime,
            audio: settings.audio,
            captions: settings.captions.map(MultivariantPlaylist.ClosedCaptions.init),
            failback: settings.failback,
            filler: filler,
            checks: InputHealth.Checks(
                frozen: settings.frozenAfter > .zero ? settings.frozenAfter : nil,
                silence: settings.silentAfter > .zero ? settings.silentAfter : nil
            )
        )
        configuration.inputTimeout = settings.inputTimeout > .zero ? settings.inputTimeout : nil
        configuration.spliceMarkers = settings.spliceMarkers
        configuration.advertisements = settings.advertisements
        configuration.cueOutTags = settings.cueOutTags
        configuration.hasSpliceMessages = settings.hasSpliceMessages
        configuration.interstitials = settings.interstitials
        configuration.subtitles = settings.subtitlesBesideFeeds.map(\.attributes)
        configuration.feedText = settings.subtitles.map(\.attributes).filter { $0.service != nil }
        configuration.feedSubtitles = settings.wantedFeedSubtitles
        configuration.subtitleFormats = settings.subtitleFormats
        if settings.peer != nil { configuration.scheduleLead = ChannelSchedule.lead }
        let names = (settings.inputs + settings.backups).map(\.description)
        configuration.feedNames = Dictionary(uniqueKeysWithValues: zip(configuration.inputs, names))
        return configuration
    }
}

extension MultivariantPlaylist.ClosedCaptions {
    fileprivate init(_ description: CaptionDescription) {
        self.init(
            groupID: ChannelEngine.Configuration.captionsGroup,
            name: description.name ?? description.channel,
            language: description.language,
            instreamID: description.channel,
            isDefault: description.isDefault
        )
    }
}
