import Channels
import ContentProtection
import MediaCore
import Operations
import PackagerConfig
import Packaging
import Playlists
import Segmenting
import Timeline

extension ChannelAssembly {
    /// Makes the configuration of the channel's engine.
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
            keyClasses: KeyClasses(apart: settings.keys.classes),
            lateKey: settings.keys.lateKey,
            offersSessionKeys: settings.keys.offersSessionKeys,
            hintedKey: settings.hintedKey,
            format: settings.format,
            program: settings.program,
            inputCount: settings.inputs.count,
            backupCount: settings.backups.count,
            isPaced: settings.isRealtime,
            audio: settings.audio,
            captions: .declared(settings.text.captions),
            failback: settings.faults.failback,
            filler: filler,
            horizon: settings.partTarget.map(CommitHorizon.part(duration:)) ?? .slot,
            checks: InputHealth.Checks(
                frozen: settings.faults.frozenAfter > .zero ? settings.faults.frozenAfter : nil,
                silence: settings.faults.silentAfter > .zero ? settings.faults.silentAfter : nil
            )
        )
        configuration.inputTimeout = settings.faults.inputTimeout > .zero ? settings.faults.inputTimeout : nil
        configuration.spliceMarkers = settings.splices.markers
        configuration.advertisements = settings.advertisements
        configuration.cueOutTags = settings.splices.cueOutTags
        configuration.hasSpliceMessages = settings.splices.hasMessages
        configuration.interstitials = settings.interstitials
        configuration.subtitles = settings.subtitlesBesideFeeds.map(\.attributes)
        configuration.feedText = settings.text.subtitles.map(\.attributes).filter { $0.service != nil }
        configuration.feedSubtitles = settings.wantedFeedSubtitles
        configuration.subtitleFormats = settings.text.formats
        if settings.peer != nil { configuration.scheduleLead = ChannelSchedule.lead }
        let names = (settings.inputs + settings.backups).map(\.description)
        configuration.feedNames = Dictionary(uniqueKeysWithValues: zip(configuration.inputs, names))
        return configuration
    }
}

extension [MultivariantPlaylist.ClosedCaptions] {
    /// Declares captions with different names: the operator's name takes precedence over the language in words.
    fileprivate static func declared(_ descriptions: [CaptionDescription]) -> Self {
        var names = UniqueNames(taken: descriptions.compactMap(\.name))
        return descriptions.map { description in
            let channel = CaptionChannel(description.channel)?.menuName ?? description.channel
            let usual = description.language.flatMap(LanguageName.english) ?? channel
            return MultivariantPlaylist.ClosedCaptions(
                groupID: ChannelEngine.Configuration.captionsGroup,
                name: description.name ?? names.claim(usual),
                language: description.language,
                instreamID: description.channel,
                isDefault: description.isDefault
            )
        }
    }
}
