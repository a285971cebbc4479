import MediaCore

extension ConfigurationReader {
    /// Reads a channel, or several channels of the programs of one feed.
    ///
    /// - Parameters:
    ///   - settings: The settings from all sources.
    ///   - origin: The place for the problem of a missing input.
    /// - Returns: The channels, which only count without problems. Those are reported.
    mutating func readChannels(_ settings: LayeredSettings, missing origin: SettingOrigin?) -> [ChannelConfiguration] {
        let reading = read(ChannelConfiguration.self, from: settings)
        if !reading.isGiven(\.inputs), let origin {
            report(origin, "there is no input; give at least one feed: a URL, a file or - for standard input")
        }
        check(reading)
        var channel = reading.value
        // A file that becomes files is kept as a whole unless a window is given.
        if channel.endsByItself, !reading.isGiven(\.window) { channel.window = ChannelConfiguration.wholeFeed }
        let origins = ConfigurationReading.ChannelOrigins(
            section: settings.layers.lazy.compactMap(\.origin).first,
            settings: reading.places
        )
        channelOrigins[channel.name] = origins
        guard channel.programs.count > 1 else { return [channel] }
        return channel.programs.map { program in
            var part = channel
            part.name += "-\(program)"
            channelOrigins[part.name] = origins
            if let origin = reading[\.name]?.origin { claimName(part.name, origin) }
            part.programs = [program]
            // Key IDs derive from it, and no two channels share a key.
            part.keys.givenContentID = channel.keys.givenContentID.map { "\($0)-\(program)" }
            part.output = channel.output.map { $0 + ChannelConfiguration.suffix(of: program) }
            for index in part.push.indices { part.push[index].url += ChannelConfiguration.suffix(of: program) }
            return part
        }
    }

    private mutating func check(_ reading: SettingReading<ChannelConfiguration>) {
        checkWindow(reading)
        checkParts(reading)
        checkMemory(reading)
        checkKeyRotation(reading)
        checkClearLead(reading)
        checkEncryption(reading)
        checkKeySystems(reading)
        checkTimecodeOffset(reading)
        checkPace(reading)
        checkPublishers(reading)
        checkOutputKeys(reading)
        checkUniqueness(reading)
        checkRepetition(reading)
        checkReceivers(reading)
        checkSharedSenders(reading)
        collectReceivers(reading)
        checkFailing(reading)
        checkKeySource(reading)
        checkKeySecret(reading)
        checkPeer(reading)
        checkSubtitleFormats(reading)
        checkFeedSubtitles(reading)
        checkSplices(reading)
        checkAds(reading)
        checkStart(reading)
        checkRecording(reading)
        checkPushes(reading.value)
    }

    mutating func checkAudio(_ tracks: [SettingReading<AudioAttributes>]) {
        checkNames(tracks.map { $0[\.name] }, of: "audio track")
        // RFC 8216bis § 4.4.6.1.1: no more than one of a group.
        let defaults = tracks.filter { $0.value.isDefault == true }.compactMap { $0[\.isDefault] }
        for other in defaults.dropFirst() { report(other.origin, "only one track can be the default") }
        for track in tracks where track.value.isDefault == true && !track.value.isAutoselect {
            guard let autoselect = track[\.isAutoselect] else { continue }
            report(
                autoselect.origin,
                "a track with 'default: true' cannot have 'autoselect: false' (RFC 8216bis § 4.4.6.1)"
            )
        }
    }

    mutating func checkSubtitles(_ subtitles: [SettingReading<SubtitleDescription>]) {
        checkNames(subtitles.map { $0[\.attributes.name] }, of: "subtitle track")
        var taken: Set<String> = []
        for track in subtitles {
            let attributes = track.value.attributes
            guard let language = track[\.attributes.language], !language.value.isEmpty else {
                if let origin = track.origin, !track.isGiven(\.attributes.language) {
                    report(origin, "there is no language; write it like 'language: en'")
                }
                continue
            }
            if attributes.service != nil {
                if track.value.source != nil, let source = track[\.source] {
                    report(source.origin, "a service inside the feeds needs no source; leave out source or service")
                }
                continue
            }
            // Cues are posted to a language.
            if !taken.insert(language.value).inserted {
                report(language.origin, "another subtitle track is '\(language.value)' too")
            }
            if attributes.isForced, attributes.isDefault, let isDefault = track[\.attributes.isDefault] {
                report(isDefault.origin, "forced subtitles are shown anyway; they cannot be the default")
            }
        }
        for other in subtitles.filter(\.value.attributes.isDefault).compactMap({ $0[\.attributes.isDefault] })
            .dropFirst()
        {
            report(other.origin, "only one subtitle track can be the default")
        }
    }

    mutating func checkFeedSubtitles(_ reading: SettingReading<ChannelConfiguration>) {
        guard let choices = reading[\.text.feedSubtitles], choices.value.count > 1, choices.value.contains(.none) else {
            return
        }
        report(choices.origin, "'none' cannot be combined with other values")
    }

    mutating func checkSubtitleFormats(_ reading: SettingReading<ChannelConfiguration>) {
        guard let formats = reading[\.text.formats] else { return }
        if !formats.value.contains(.webVTT) {
            report(formats.origin, "some players read only webvtt; write 'webvtt,imsc1'")
        }
        if formats.value.contains(.imsc1), !reading.value.format.carriesIMSC1 {
            report(formats.origin, "imsc1 is carried in fmp4 only")
        }
    }

    mutating func checkSplices(_ reading: SettingReading<ChannelConfiguration>) {
        if let messages = reading[\.splices.hasMessages], messages.value, !reading.value.format.carriesMessages {
            report(messages.origin, "emsg is carried in fmp4 only; with ts, only playlists announce splices")
        }
        let channel = reading.value
        if let pids = reading[\.splices.pids], !pids.value.isEmpty,
            let session = (channel.inputs + channel.backups).first(where: { !$0.isByteStream })
        {
            report(
                pids.origin,
                "PIDs of \(session) cannot be chosen; let its program map register CUEI, or send it by UDP or SRT"
            )
        }
        if channel.splices.markers == .none {
            if let pids = reading[\.splices.pids], !pids.value.isEmpty { report(pids.origin, Self.splicesUnwanted) }
            if let tags = reading[\.splices.cueOutTags], tags.value != .none {
                report(tags.origin, Self.splicesUnwanted)
            }
            if let messages = reading[\.splices.hasMessages], messages.value {
                report(messages.origin, Self.splicesUnwanted)
            }
        }
    }

    private static let splicesUnwanted = "splices are not announced with 'scte35: none'"

    mutating func checkCaptions(_ captions: [SettingReading<CaptionDescription>]) {
        checkNames(captions.map { $0[\.name] }, of: "caption channel")
        checkNames(captions.map { $0[\.channel] }, of: "caption channel")
        for other in captions.filter(\.value.isDefault).compactMap({ $0[\.isDefault] }).dropFirst() {
            report(other.origin, "only one caption channel can be the default")
        }
        for caption in captions where !caption.isGiven(\.channel) {
            guard let origin = caption.origin else { continue }
            report(origin, "there is no channel; write it like 'channel: CC1'")
        }
    }

    /// Reports repeated values.
    private mutating func checkNames(_ names: [Located<String>?], of noun: String) {
        var taken: [String: SettingOrigin] = [:]
        for name in names.compactMap(\.self) {
            guard let other = taken.updateValue(name.origin, forKey: name.value) else { continue }
            report(name.origin, "another \(noun) is '\(name.value)' too (\(other))")
        }
    }
}
