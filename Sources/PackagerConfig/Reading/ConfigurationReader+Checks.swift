import MediaCore
import Timeline

/// Checks of settings that are right by themselves but not beside the others.
extension ConfigurationReader {
    mutating func checkWindow(_ reading: SettingReading<ChannelConfiguration>) {
        guard let window = reading[\.window], let duration = reading[\.segmentDuration]?.value else { return }
        let minimum = ChannelConfiguration.minimumWindow(reading.value.grid)
        guard window.value < minimum else { return }
        report(
            window.origin,
            "\(window.value.text) is too short for segments of \(duration.text); "
                + "allowed are \(minimum.text) and more: six segments and three target durations"
        )
    }

    /// Warns of a window that cannot fit in memory; the rest is reported once bit rates are measured.
    mutating func checkMemory(_ reading: SettingReading<ChannelConfiguration>) {
        // With a state directory the window need not be in memory.
        guard let maximum = reading[\.maximumMemory], let window = reading[\.window]?.value,
            reading.value.state == nil
        else { return }
        let bandwidth = reading.value.bandwidths.reduce(0) { $0 + $1.average }
        let bytes = Int(window.seconds * Double(bandwidth) / 8)
        guard bytes > maximum.value else { return }
        warn(
            maximum.origin,
            "a window of \(window.text) with the declared bandwidths takes \(bytes >> 20)M by itself; "
                + "it will be shorter than that"
        )
    }

    mutating func checkKeyRotation(_ reading: SettingReading<ChannelConfiguration>) {
        guard let rotation = reading[\.keys.rotation], reading[\.segmentDuration] != nil,
            let slots = reading.value.slotsPerPeriod
        else { return }
        guard reading[\.encryption]?.value != EncryptionMethod.none else {
            return warn(
                rotation.origin,
                "nothing is encrypted, so there are no keys to change; set encryption as well"
            )
        }
        let rounded = reading.value.segmentDuration * slots
        guard rounded != rotation.value else { return }
        warn(rotation.origin, "\(rotation.value.text) becomes \(rounded.text), a whole number of segments: \(slots)")
    }

    mutating func checkClearLead(_ reading: SettingReading<ChannelConfiguration>) {
        guard let lead = reading[\.keys.clearLead], lead.value > .zero, reading[\.segmentDuration] != nil else {
            return
        }
        if reading[\.encryption]?.value == EncryptionMethod.none {
            report(lead.origin, "clear-lead needs encryption; set it as well")
        }
        let (duration, slots) = (reading.value.segmentDuration, reading.value.clearLeadSlots)
        guard duration * slots != lead.value else { return }
        warn(lead.origin, "\(lead.value.text) becomes \((duration * slots).text), a whole number of segments: \(slots)")
    }

    mutating func checkEncryption(_ reading: SettingReading<ChannelConfiguration>) {
        guard let encryption = reading[\.encryption] else { return }
        let format = reading[\.format]?.value
        if encryption.value == .sampleAESCounterMode {
            if let format, !format.hasCommonEncryption {
                // RFC 8216bis § 4.4.4.4
                report(encryption.origin, "sample-aes-ctr is defined for fmp4 only; in ts there is sample-aes")
            } else {
                warn(
                    encryption.origin,
                    "Apple's players refuse sample-aes-ctr (HLS Authoring Specification § 13.11); use sample-aes for all players"
                )
            }
        }
        if encryption.value == .aes256GCM {
            warn(
                encryption.origin,
                "few players support aes-256-gcm (RFC 8216bis § 4.4.4.4); use aes-128 for all players"
            )
        }
        guard let encryptInit = reading[\.encryptsInitialization], encryptInit.value, let format else { return }
        if ![.aes128, .aes256GCM].contains(encryption.value) || !format.hasInitializationSections {
            report(
                encryptInit.origin,
                "only aes-128 and aes-256-gcm in fmp4 have an initialization section that can be encrypted"
            )
        }
    }

    mutating func checkTimecodeOffset(_ reading: SettingReading<ChannelConfiguration>) {
        guard let offset = reading[\.timecodeOffset], offset.value != .zero,
            let clock = reading[\.clock]?.value, clock != .timecode
        else { return }
        warn(offset.origin, "timecode-offset applies to 'clock: timecode' only; the clock is \(clock.rawValue)")
    }

    /// Checks that each feed can be read as it is to be.
    mutating func checkPace(_ reading: SettingReading<ChannelConfiguration>) {
        let feeds = reading.value.inputs + reading.value.backups
        if let loop = reading[\.isLooping], loop.value, let feed = feeds.first(where: { $0.kind != .file }) {
            let kind = feed.isFinite ? "not a file" : "a live feed"
            report(loop.origin, "loop needs a file; '\(feed)' is \(kind)")
        }
        if let realtime = reading[\.isRealtime], !realtime.value, let feed = feeds.first(where: { !$0.isFinite }) {
            report(realtime.origin, "no-realtime needs a feed with an end; '\(feed)' is a live feed")
        }
    }

    /// Checks that the feeds with allowed addresses are of protocols that show addresses.
    mutating func checkPublishers(_ reading: SettingReading<ChannelConfiguration>) {
        guard let allowed = reading[\.allowedPublishers], !allowed.value.isEmpty else { return }
        for feed in reading.value.inputs + reading.value.backups {
            switch feed.feedProtocol?.senders {
            case nil, .networks: break
            case .addresses:
                guard let network = allowed.value.first(where: { !$0.isAddress }) else { continue }
                report(
                    allowed.origin,
                    "'\(feed)' (UDP-Lite) needs the address of each sender, and \(network) is a network"
                )
            case .unknownCallers where !feed.isCalled: break
            case .unknown, .unknownCallers:
                report(allowed.origin, "the packager cannot check the sender of '\(feed)'; use a firewall")
            }
        }
    }

    /// Checks that keys are written where encrypted segments are, since these are played only with them.
    mutating func checkOutputKeys(_ reading: SettingReading<ChannelConfiguration>) {
        let channel = reading.value
        if let keys = reading[\.outputKeys] {
            if channel.encryption == .none {
                return report(keys.origin, "nothing is encrypted; set encryption as well")
            }
            if channel.output == nil {
                report(keys.origin, "no written playlist names these keys; set output as well")
            }
            if !channel.keySystems.contains(.identity) {
                report(keys.origin, "with drm, playlists do not name the key itself; set identity-key as well")
            }
        } else if let output = reading[\.output], channel.endsByItself, channel.encryption != .none,
            channel.keySystems.contains(.identity)
        {
            warn(
                output.origin,
                "its playlists name keys/KEYID, but no key is written: nobody can play them unless you serve these keys; "
                    + "'output-keys: \(output.value)/keys' writes them"
            )
        }
    }

    /// Warns of a feed that is read twice: a socket can be opened only once.
    mutating func checkRepetition(_ reading: SettingReading<ChannelConfiguration>) {
        var taken: [FeedLocation: SettingOrigin] = [:]
        for feed in reading.elements(\.inputs) + reading.elements(\.backups) where feed.value.kind == .network {
            guard taken.updateValue(feed.origin, forKey: feed.value) != nil else { continue }
            warn(
                feed.origin,
                "'\(feed.value)' is given twice, and most addresses can be opened only once"
            )
        }
    }

    mutating func checkFailing(_ reading: SettingReading<ChannelConfiguration>) {
        guard let staleAfter = reading[\.faults.staleAfter], let duration = reading[\.segmentDuration]?.value else {
            return
        }
        if let failOn = reading[\.faults.failOn], failOn.value.contains(.stale), staleAfter.value == .zero {
            report(failOn.origin, "'stale' needs stale-after: the age in seconds from which a stream is stale")
        }
        // A healthy live edge is up to two slots old: one that fills and one that is being made up for.
        let least = duration * 2
        guard staleAfter.value > .zero, staleAfter.value < least else { return }
        report(
            staleAfter.origin,
            "\(staleAfter.value.text) is too short for segments of \(duration.text); "
                + "allowed are 0 (never) and \(least.text) and more"
        )
    }

    /// Checks the values of a channel that must differ from those of the channels before it.
    mutating func checkUniqueness(_ reading: SettingReading<ChannelConfiguration>) {
        if let name = reading[\.name] { claimName(name.value, name.origin) }
        if let output = reading[\.output] {
            // Of several programs, each has a directory in it.
            for path in [output.value] + reading.value.partSuffixes.map({ output.value + $0 }) {
                let place = ChannelConfiguration.normalized(path)
                guard let other = takenOutputs.updateValue(output.origin, forKey: place) else { continue }
                report(output.origin, ChannelConfiguration.takenOutput(path, by: other))
            }
        }
        for feed in reading.elements(\.inputs) + reading.elements(\.backups) where feed.value.isStandardInput {
            if isStandardInputTaken { report(feed.origin, ChannelConfiguration.takenStandardInput) }
            isStandardInputTaken = true
        }
        let channel = reading.value
        let manner = (channel.wantedFeedSubtitles, channel.audioTranscoding)
        for feed in reading.elements(\.inputs) + reading.elements(\.backups)
        where feed.value.kind == .network && !channel.programs.isEmpty {
            guard let other = sharedFeeds.updateValue(manner, forKey: feed.value.location), other != manner else {
                continue
            }
            warn(
                feed.origin,
                "another channel reads a program of it with other feed-subtitles or another audio-transcode: the "
                    + "feed is opened twice, which only multicast allows"
            )
        }
    }

    mutating func claimName(_ name: String, _ origin: SettingOrigin) {
        guard let other = takenNames.updateValue(origin, forKey: name) else { return }
        report(origin, "'\(name)' is the name of another channel too (\(other)); names must differ")
    }

    /// Checks that settings about another source of keys have one that they are about.
    mutating func checkKeySource(_ reading: SettingReading<ChannelConfiguration>) {
        if let source = reading[\.keys.source], source.value != .derived,
            reading[\.encryption]?.value == EncryptionMethod.none
        {
            report(source.origin, "nothing is encrypted; set encryption as well")
        }
        if let source = reading[\.keys.source], source.value != .derived,
            reading[\.encryption]?.value == .aes256GCM
        {
            report(
                source.origin,
                "keys of aes-256-gcm have 256 bits, and those of \(source.value.kind) 128; use key-source derived"
            )
        }
        guard let source = reading[\.keys.source]?.value else { return }
        if let credentials = reading[\.keys.credentialsFile], !source.isServer {
            report(
                credentials.origin,
                "there is no key server to send them to; set key-source to speke:URL or cpix:URL"
            )
        }
        if let authority = reading[\.keys.authorityFile], !source.isServer {
            report(authority.origin, "there is no key server; set key-source to speke:URL or cpix:URL")
        } else if let authority = reading[\.keys.authorityFile], !source.isSecureServer {
            report(authority.origin, "the key server has no certificate to check; give its URL with https")
        }
        if let recipient = reading[\.keys.recipientFile], !["cpix", "speke"].contains(source.kind) {
            report(recipient.origin, "nothing is encrypted for it; set key-source to cpix:PATH, cpix:URL or speke:URL")
        }
        if let signer = reading[\.keys.signerFile], source.kind != "cpix" {
            report(signer.origin, "only CPIX documents are signed; set key-source to cpix:PATH or cpix:URL")
        }
    }

    mutating func checkPeer(_ reading: SettingReading<ChannelConfiguration>) {
        guard let authority = reading[\.peerAuthorityFile] else { return }
        if reading[\.peer]?.value.lowercased().hasPrefix("https://") != true {
            report(authority.origin, "there is no certificate to check; give the URL of the peer with https")
        }
    }

    mutating func checkKeySecret(_ reading: SettingReading<ChannelConfiguration>) {
        guard let encryption = reading[\.encryption], encryption.value != .none, reading.value.keySecret == .memory,
            reading.value.keys.source == .derived
        else { return }
        // A job with key files leaves its keys with its output.
        if reading.value.endsByItself, reading.value.outputKeys != nil { return }
        let output = reading.value.outputKeys == nil && !reading.value.endsByItself ? reading.value.output : nil
        let files = output.map { "; without it, nobody can play the files in \($0), which has no key files" }
        warn(
            encryption.origin,
            "the keys come from a random secret that is lost when this run ends; set key-secret or state to keep it"
                + (files ?? "")
        )
    }
}
