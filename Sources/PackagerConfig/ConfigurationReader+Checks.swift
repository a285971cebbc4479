import MediaCore

/// What each setting allows by itself but not beside the others.
extension ConfigurationReader {
    mutating func checkWindow(_ window: Located<MediaTime>?, _ segmentDuration: Located<MediaTime>?) {
        guard let window, let segmentDuration else { return }
        let minimum = ChannelConfiguration.minimumWindow(segmentDuration.value)
        guard window.value < minimum else { return }
        report(
            window.origin,
            "\(window.value.text) is too short for segments of \(segmentDuration.value.text); "
                + "allowed are \(minimum.text) and more: six segments and three target durations"
        )
    }

    /// Says what is known before anything is measured; the rest is said once it is.
    mutating func checkMemory(
        _ maximum: Located<Int>?,
        _ window: Located<MediaTime>?,
        _ bandwidths: [DeclaredBandwidth]
    ) {
        guard let maximum, let window else { return }
        let bytes = Int(window.value.seconds * Double(bandwidths.reduce(0) { $0 + $1.average }) / 8)
        guard bytes > maximum.value else { return }
        warn(
            maximum.origin,
            "a window of \(window.value.text) with the declared bandwidths takes \(bytes >> 20)M by itself; "
                + "it will be shorter than that"
        )
    }

    mutating func checkKeyRotation(_ rotation: Located<MediaTime>?, _ segmentDuration: Located<MediaTime>?) {
        guard let rotation, let segmentDuration, rotation.value > .zero else { return }
        let slots = ChannelConfiguration.slots(in: rotation.value, of: segmentDuration.value)
        let rounded = segmentDuration.value * slots
        guard rounded != rotation.value else { return }
        warn(rotation.origin, "\(rotation.value.text) becomes \(rounded.text), a whole number of segments: \(slots)")
    }

    mutating func checkEncryption(
        _ encryption: Located<EncryptionMethod>?,
        _ format: Located<StreamFormat>?
    ) {
        guard let encryption, encryption.value == .sampleAESCounterMode else { return }
        if format?.value == .ts {
            // RFC 8216bis § 4.4.4.4
            report(encryption.origin, "sample-aes-ctr is defined for fmp4 only; in ts there is sample-aes")
        } else {
            warn(
                encryption.origin,
                "Apple's players refuse sample-aes-ctr (HLS Authoring Specification § 13.11); sample-aes is for all"
            )
        }
    }

    mutating func checkEncryptInit(
        _ encryptInit: Located<Bool>?,
        _ encryption: Located<EncryptionMethod>?,
        _ format: Located<StreamFormat>?
    ) {
        guard let encryptInit, encryptInit.value, let encryption, let format else { return }
        if encryption.value != .aes128 || format.value != .fmp4 {
            report(encryptInit.origin, "only aes-128 in fmp4 has an initialization section that can be encrypted")
        }
    }

    /// Reports values that are there twice.
    mutating func checkNames(_ settings: [Setting?], of noun: String) {
        var taken: [String: SettingOrigin] = [:]
        for setting in settings.compactMap(\.self) {
            guard let other = taken.updateValue(setting.origin, forKey: setting.text) else { continue }
            report(setting.origin, "another \(noun) is '\(setting.text)' too (\(other))")
        }
    }

    mutating func checkTimecodeOffset(
        _ offset: Located<MediaTime>?,
        _ clock: Located<ClockSource>?
    ) {
        guard let offset, let clock, offset.value != .zero, clock.value != .timecode else { return }
        warn(offset.origin, "there is no timecode to move: the clock is \(clock.value.rawValue)")
    }

    mutating func checkReading(_ inputs: [Located<Feed>], loop: Located<Bool>?, realtime: Located<Bool>?) {
        if let loop, loop.value, let input = inputs.first(where: { $0.value.kind != .file }) {
            report(loop.origin, "only files can start over; '\(input.value)' is not a file")
        }
        if let realtime, !realtime.value, let input = inputs.first(where: { $0.value.kind == .network }) {
            report(realtime.origin, "a live feed sets its own pace; '\(input.value)' is not a file")
        }
    }

    /// Warns of a window that nobody has thought of, where files are made of a file.
    mutating func checkBatch(
        _ output: Located<String>?,
        loop: Located<Bool>?,
        realtime: Located<Bool>?,
        _ window: Located<MediaTime>?
    ) {
        guard let output, let window, loop?.value == false, realtime?.value == false else { return }
        warn(
            output.origin,
            "only the last \(window.value.text) of the feed will be left there when it ends; "
                + "give a window as long as the feed to keep all of it"
        )
    }

    mutating func checkFailing(
        staleAfter: Located<MediaTime>?,
        failOn: Set<FailureCondition>,
        origin: SettingOrigin?,
        _ segmentDuration: Located<MediaTime>?
    ) {
        guard let staleAfter, let segmentDuration else { return }
        if failOn.contains(.stale), staleAfter.value == .zero, let origin {
            report(origin, "'stale' needs stale-after: the age in seconds from which on a stream is stale")
        }
        // A healthy live edge is up to two slots old: one that fills and one that is being made up for.
        let least = segmentDuration.value * 2
        guard staleAfter.value > .zero, staleAfter.value < least else { return }
        report(
            staleAfter.origin,
            "\(staleAfter.value.text) is too short for segments of \(segmentDuration.value.text); "
                + "allowed are 0 (never) and \(least.text) and more"
        )
    }

    /// Checks what a channel must not have in common with the channels before it.
    mutating func checkUniqueness(name: Located<String>?, inputs: [Located<Feed>], output: Located<String>?) {
        if let name { claimName(name.value, name.origin) }
        if let output, let other = takenOutputs.updateValue(output.origin, forKey: Self.normalized(output.value)) {
            report(
                output.origin,
                "'\(output.value)' is where another channel writes too (\(other)); each needs its own"
            )
        }
        for input in inputs where input.value.kind == .standardInput {
            if isStandardInputTaken { report(input.origin, "standard input can be read only once") }
            isStandardInputTaken = true
        }
    }

    mutating func claimName(_ name: String, _ origin: SettingOrigin) {
        guard let other = takenNames.updateValue(origin, forKey: name) else { return }
        report(origin, "'\(name)' is the name of another channel too (\(other)); names must differ")
    }

    /// A path without what makes two texts of one directory: `./a//b/` is `a/b`.
    private static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

extension MediaTime {
    /// Seconds to the millisecond, as an operator writes them: `4 s`, `3.84 s`.
    fileprivate var text: String {
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard fraction > 0 else { return "\(seconds) s" }
        let digits = String(1000 + fraction).dropFirst()
        return "\(seconds).\(digits[...(digits.lastIndex { $0 != "0" } ?? digits.startIndex)]) s"
    }
}
