import ContentProtection
import Logging
import MediaCore
import Operations
import Timeline

/// Reports about keys.
extension ChannelEngine {
    /// Reports the effect of a missing key, each time that it gets worse, and once the source has given the reason.
    mutating func note(
        _ effect: KeyOutage.Effect,
        of keyClass: KeyClass,
        in period: CryptoPeriod,
        slot: MediaSequenceNumber?
    ) {
        let outage = keys.outages[keyClass]
        let effect = max(effect, outage?.effect ?? effect)
        let asked: MediaTime
        let answer: String
        var isExplained = outage?.isExplained ?? false
        let wasExplained = isExplained
        switch keys.timeline?.state(of: keyClass, in: period) {
        case .failed(let reason, let since)?, .pending(let since, let reason?)?:
            (asked, answer, isExplained) = (since, "has none: \(reason)", true)
        case .pending(let since, nil)?: (asked, answer) = (since, "has not answered")
        case .known?, nil: (asked, answer) = (now, "has none")
        }
        if let outage, effect == outage.effect, isExplained == wasExplained { return }
        keys.outages[keyClass] = KeyOutage(
            period: outage?.period ?? period,
            since: outage?.since ?? now,
            effect: effect,
            isExplained: isExplained
        )
        let what =
            "No key for \(keyClass.rawValue) in crypto period \(period): asked at \(asked.iso8601), the key source \(answer)."
        let consequence = consequence(of: effect, keyClass, period)
        note(
            .keys,
            "\(what) \(consequence) Check the key source; the packager asks again with every segment.",
            severity: effect == .gaps || effect == .held ? .error : .warning,
            slot: slot
        )
        log(
            .warning,
            "key is late",
            [
                "class": "\(keyClass.rawValue)", "period": "\(period)", "asked": "\(asked.iso8601)",
                "source": "\(answer)", "viewers": "\(consequence)",
                "do": "check that the key source runs and can be reached; the packager asks again with every segment",
            ]
        )
    }

    private func consequence(of effect: KeyOutage.Effect, _ keyClass: KeyClass, _ period: CryptoPeriod) -> String {
        let name = keyClass.rawValue
        switch effect {
        case .none:
            let start = keys.timeline?.periods.firstSlot(of: period).map { configuration.grid.start(of: $0) }
            guard let start, start > now else { return "Viewers notice nothing yet, but the key is needed now." }
            return "Viewers notice nothing before \(start.iso8601), when the key is needed."
        case .held where !configuration.isPaced:
            return "The feed waits for the key."
        case .held:
            return "New segments are held back; viewers near the live edge may stall. Each becomes a gap for \(name) "
                + "\(Int(keys.longestWait.seconds.rounded())) s after it was due."
        case .reused:
            return "The previous key stays in use for \(name): viewers notice nothing, but the key does not change."
        case .gaps:
            let refusal = configuration.lateKey == .fail ? " Playlists are refused." : ""
            return "Viewers get no \(name): its segments are gaps. None is published in the clear.\(refusal)"
        }
    }

    /// Reports that a key has come, if it was reported missing.
    mutating func endTrouble(of keyClass: KeyClass, in period: CryptoPeriod) {
        guard let outage = keys.outages.removeValue(forKey: keyClass) else { return }
        let seconds = Int((now - outage.since).seconds.rounded())
        note(
            .keys,
            "There is a key for \(keyClass.rawValue) again, that of crypto period \(period), after \(seconds) s.",
            severity: .info
        )
        log(
            .notice,
            "key has arrived",
            ["class": "\(keyClass.rawValue)", "period": "\(period)", "seconds": .number(seconds)]
        )
    }
}
