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
            captions: .declared(settings.captions),
            failback: settings.failback,
            filler: filler,
            horizon: settings.partTarget.map(CommitHorizon.part(duration:)) ?? .slot,
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
