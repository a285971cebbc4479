import MediaCore

extension ConfigurationReader {
    /// A window of a day and keys of a month are slips of the pen rather than wishes.
    private static let segmentSeconds: ClosedRange<Int64> = 1...30
    private static let windowSeconds: ClosedRange<Int64> = 1...86_400
    private static let failbackSeconds: ClosedRange<Int64> = 0...86_400
    private static let checkSeconds: ClosedRange<Int64> = 0...3600
    private static let rotationSeconds: ClosedRange<Int64> = 0...2_678_400

    /// Reads what a channel is, or several that are made of the programs of one feed.
    ///
    /// - Parameters:
    ///   - settings: From all sources.
    ///   - audio: Its audio tracks, read already.
    ///   - captions: Its captions, read already.
    ///   - origin: Where to say that it has no input.
    /// - Returns: The channels; none where something is wrong, which is reported.
    mutating func readChannels(
        _ settings: LayeredSettings,
        audio: [AudioAttributes],
        captions: [ChannelConfiguration.CaptionDescription],
        origin: SettingOrigin?
    ) -> [ChannelConfiguration] {
        let programs = readPrograms(settings[.program])
        guard var channel = readChannel(settings, audio: audio, captions: captions, origin: origin) else { return [] }
        channel.program = programs.first
        guard programs.count > 1 else { return [channel] }
        let origin = settings[.name].first?.origin ?? origin
        return programs.map { program in
            var part = channel
            part.name += "-\(program)"
            if let origin { claimName(part.name, origin) }
            part.program = program
            part.output = channel.output.map { "\($0)/\(program)" }
            return part
        }
    }

    private mutating func readChannel(
        _ settings: LayeredSettings,
        audio: [AudioAttributes],
        captions: [ChannelConfiguration.CaptionDescription],
        origin: SettingOrigin?
    ) -> ChannelConfiguration? {
        let name = value(.name, in: settings, SettingValue.channelName)
        let inputs = settings[.input].map { Located(value: Feed($0.text), origin: $0.origin) }
        if settings.given(.input) == nil, let origin {
            report(origin, "there is no input; give at least one feed: a URL, a file or - for standard input")
        }
        let backups = settings[.backup].map { Located(value: Feed($0.text), origin: $0.origin) }
        let format: Located<StreamFormat>? = value(.format, in: settings, SettingValue.choice)
        let audioTranscoding: Located<AudioTranscoding>? =
            value(.audioTranscode, in: settings, SettingValue.choice)
        let segmentDuration = value(.segmentDuration, in: settings) { text throws(SettingValue.Invalid) in
            try SettingValue.duration(text, in: Self.segmentSeconds)
        }
        let window = value(.window, in: settings) { text throws(SettingValue.Invalid) in
            try SettingValue.duration(text, in: Self.windowSeconds)
        }
        let maximumMemory = value(.maximumMemory, in: settings, SettingValue.byteCount)
        let bandwidths = readBandwidths(settings[.bandwidth])
        let encryption: Located<EncryptionMethod>? =
            value(.encryption, in: settings, SettingValue.choice)
        let encryptInit = value(.encryptInit, in: settings, SettingValue.boolean)
        let keyRotation = value(.keyRotation, in: settings) { text throws(SettingValue.Invalid) in
            try SettingValue.duration(text, in: Self.rotationSeconds)
        }
        let keySecret = value(.keySecret, in: settings, SettingValue.any)
        let clock: Located<ClockSource>? = value(.clock, in: settings, SettingValue.choice)
        let timecodeOffset = value(.timecodeOffset, in: settings, SettingValue.utcOffset)
        let failback = value(.failback, in: settings) { text throws(SettingValue.Invalid) in
            try SettingValue.duration(text, in: Self.failbackSeconds)
        }
        let onLoss: Located<OnLoss>? = value(.onLoss, in: settings, SettingValue.choice)
        let slate = value(.slate, in: settings, SettingValue.any)
        let checks = [ConfigurationKey.frozenAfter, .silentAfter, .staleAfter].map { key in
            value(key, in: settings) { text throws(SettingValue.Invalid) in
                try SettingValue.duration(text, in: Self.checkSeconds)
            }
        }
        let failOn = readFailureConditions(settings[.failOn])
        let peer = value(.peer, in: settings, SettingValue.httpURL)
        let loop = value(.loop, in: settings, SettingValue.boolean)
        let realtime = value(.realtime, in: settings, SettingValue.boolean)
        let output = value(.output, in: settings, SettingValue.any)
        let state = value(.state, in: settings, SettingValue.any)

        checkWindow(window, segmentDuration)
        checkMemory(maximumMemory, window, bandwidths)
        checkKeyRotation(keyRotation, segmentDuration)
        checkEncryption(encryption, format)
        checkEncryptInit(encryptInit, encryption, format)
        checkTimecodeOffset(timecodeOffset, clock)
        checkReading(inputs + backups, loop: loop, realtime: realtime)
        if settings.given(.window) == nil { checkBatch(output, loop: loop, realtime: realtime, window) }
        checkUniqueness(name: name, inputs: inputs + backups, output: output)
        checkFailing(staleAfter: checks[2], failOn: failOn, origin: settings[.failOn].first?.origin, segmentDuration)

        guard let name, let format, let audioTranscoding, let segmentDuration, let window, let maximumMemory,
            let encryption, let encryptInit,
            let keyRotation, let clock, let timecodeOffset, let failback, let onLoss, let slate,
            let frozenAfter = checks[0], let silentAfter = checks[1], let staleAfter = checks[2], let loop, let realtime
        else { return nil }
        let secret = keySecretSource(keySecret?.value, state: state?.value)
        if encryption.value != .none, secret == .memory {
            let files = output.map { "; without it nothing plays what is left in \($0.value), which has no key files" }
            warn(
                encryption.origin,
                "the keys come from a random secret that ends with this run; give key-secret or state to keep it"
                    + (files ?? "")
            )
        }
        return ChannelConfiguration(
            name: name.value,
            inputs: inputs.map(\.value),
            backups: backups.map(\.value),
            program: nil,
            audio: audio,
            captions: captions,
            audioTranscoding: audioTranscoding.value,
            format: format.value,
            segmentDuration: segmentDuration.value,
            window: window.value,
            maximumMemory: maximumMemory.value,
            bandwidths: bandwidths,
            encryption: encryption.value,
            encryptsInitialization: encryptInit.value,
            keyRotation: keyRotation.value,
            keySecret: secret,
            clock: clock.value,
            timecodeOffset: timecodeOffset.value,
            failback: failback.value,
            onLoss: onLoss.value,
            slate: slate.value,
            frozenAfter: frozenAfter.value,
            silentAfter: silentAfter.value,
            staleAfter: staleAfter.value,
            failOn: failOn,
            isLooping: loop.value,
            isRealtime: realtime.value,
            output: output?.value,
            state: state?.value,
            peer: peer?.value
        )
    }

    mutating func readAudio(_ settings: [FileSection.AudioSettings]) -> [AudioAttributes] {
        checkNames(settings.map(\.name), of: "audio track")
        let tracks = settings.map { track in
            AudioAttributes(
                language: track.language.flatMap { value($0, SettingValue.languageTag) }?.value,
                name: track.name.flatMap { value($0, SettingValue.quotable) }?.value,
                characteristics: track.characteristics?.compactMap {
                    value($0, SettingValue.uniformTypeIdentifier)?.value
                },
                isDefault: track.isDefault.flatMap { value($0, SettingValue.boolean) }?.value,
                isAutoselect: track.isAutoselect.flatMap { value($0, SettingValue.boolean) }?.value ?? true
            )
        }
        // RFC 8216bis § 4.4.6.1.1: no more than one of a group.
        let defaults = tracks.indices.filter { tracks[$0].isDefault == true }
        for index in defaults.dropFirst() {
            report(settings[index].isDefault?.origin ?? settings[index].origin, "only one track can be the default")
        }
        for (track, setting) in zip(tracks, settings) where track.isDefault == true && !track.isAutoselect {
            report(
                setting.isAutoselect?.origin ?? setting.origin,
                "what is the default can be selected automatically, too (RFC 8216bis § 4.4.6.1)"
            )
        }
        return tracks
    }

    mutating func readCaptions(
        _ settings: [FileSection.CaptionSettings]
    ) -> [ChannelConfiguration.CaptionDescription] {
        checkNames(settings.map(\.name), of: "caption channel")
        checkNames(settings.map(\.channel), of: "caption channel")
        for captions in settings.filter({ $0.isDefault?.text == "true" }).dropFirst() {
            report(captions.isDefault?.origin ?? captions.origin, "only one caption channel can be the default")
        }
        return settings.compactMap { captions in
            guard let channel = captions.channel else {
                report(captions.origin, "there is no channel; write it like 'channel: CC1'")
                return nil
            }
            return value(channel, SettingValue.captionChannel).map { channel in
                ChannelConfiguration.CaptionDescription(
                    channel: channel.value,
                    language: captions.language.flatMap { value($0, SettingValue.languageTag) }?.value,
                    name: captions.name.flatMap { value($0, SettingValue.quotable) }?.value,
                    isDefault: captions.isDefault.flatMap { value($0, SettingValue.boolean) }?.value ?? false
                )
            }
        }
    }

    private mutating func readPrograms(_ settings: [Setting]) -> [Int] {
        var programs: [Int] = []
        for setting in settings {
            guard let program = value(setting, SettingValue.programNumber)?.value else { continue }
            if programs.contains(program) {
                report(setting.origin, "program \(program) is there twice")
            } else {
                programs.append(program)
            }
        }
        return programs
    }

    private mutating func readBandwidths(_ settings: [Setting]) -> [DeclaredBandwidth] {
        var bandwidths: [DeclaredBandwidth] = []
        for setting in settings {
            for name in setting.text.split(separator: ",", omittingEmptySubsequences: false) {
                let part = Setting(text: name.trimmingWhitespace, origin: setting.origin)
                guard let bandwidth = value(part, SettingValue.bandwidth)?.value else { continue }
                if bandwidths.contains(where: { $0.rendition == bandwidth.rendition }) {
                    report(setting.origin, "the bandwidth of \(bandwidth.rendition) is there twice")
                } else {
                    bandwidths.append(bandwidth)
                }
            }
        }
        return bandwidths
    }

    private mutating func readFailureConditions(_ settings: [Setting]) -> Set<FailureCondition> {
        var conditions: Set<FailureCondition> = []
        for setting in settings {
            for name in setting.text.split(separator: ",", omittingEmptySubsequences: false) {
                let text = name.trimmingWhitespace
                let condition: Located<FailureCondition>? =
                    value(Setting(text: text, origin: setting.origin), SettingValue.choice)
                if let condition { conditions.insert(condition.value) }
            }
        }
        return conditions
    }

    private func keySecretSource(_ path: String?, state: String?) -> ChannelConfiguration.KeySecret {
        if let path { return .file(path) }
        // Channels of one state directory may share the secret: their keys differ all the same.
        return state.map { .createdFile("\($0)/master.key") } ?? .memory
    }
}
