package import MediaCore

extension InputHealth {
    /// Judges the input; to be asked a few times a second, since silence is no event.
    ///
    /// - Parameter now: UTC.
    /// - Returns: Its health at that time.
    package func report(at now: MediaTime) -> Report {
        var reasons: [Reason] = []
        var isConnected = false
        switch connection {
        case .neverOpened:
            reasons.add(.disconnected, Rules.disconnected, "Nothing has come of it yet.")
        case .lost(let since):
            let age = age(since, at: now).inSeconds
            reasons.add(.disconnected, Rules.disconnected, "The connection was lost \(age) ago.")
        case .open where isMute:
            let age = age(silence.silentSince ?? now, at: now).inSeconds
            reasons.add(.disconnected, Rules.disconnected, "No media has come for \(age).")
        case .open:
            isConnected = true
            judge(&reasons, at: now)
        }
        // Equal costs stay in the order in which they were judged.
        reasons.sort { $0.deduction > $1.deduction }
        let faults = reasons.map(\.fault)
        return Report(
            score: max(0, 100 - reasons.reduce(0) { $0 + $1.deduction }),
            reasons: reasons,
            bitrate: isConnected ? bitrate.rate(at: now) : 0,
            lastKeyFrameAge: tracks.filter { $0.kind == .video }.map { age($0.keyFrames.lastArrival, at: now) }.max(),
            continuityErrors: continuityErrors.count(at: now),
            timestampErrors: timestampErrors.count(at: now),
            isFrozen: faults.contains(.frozen),
            isSilent: faults.contains(.silent),
            isConnected: isConnected
        )
    }

    private func age(_ time: MediaTime, at now: MediaTime) -> MediaTime { max(.zero, now - time) }

    private func judge(_ reasons: inout [Reason], at now: MediaTime) {
        let silence = age(lastArrival, at: now)
        let stalled = Rules.stalled.deduction(for: silence / patience)
        guard stalled == 0 else {
            reasons.add(.stalled, stalled, "No packet has come for \(silence.inSeconds).")
            return
        }
        judgeTracks(&reasons, at: now)
        judgeContent(&reasons)

        let lost = continuityErrors.count(at: now).lastMinute
        let noun = lost == 1 ? "continuity error" : "continuity errors"
        reasons.add(
            .continuityErrors,
            Rules.continuityErrors.deduction(for: Int64(lost)),
            "\(lost) \(noun) in the last minute."
        )
        let repaired = timestampErrors.count(at: now).lastMinute
        let repair = repaired == 1 ? "timestamp was" : "timestamps were"
        reasons.add(
            .timestampErrors,
            Rules.timestampErrors.deduction(for: Int64(repaired)),
            "\(repaired) \(repair) repaired in the last minute."
        )
        let dependent = dependentSegments.count(at: now).lastMinute
        let segments = dependent == 1 ? "segment" : "segments"
        reasons.add(
            .dependentSegments,
            Rules.dependentSegments.deduction(for: Int64(dependent)),
            "\(dependent) \(segments) of the last minute had to begin without an IDR picture; "
                + "set the encoder to one at least every half segment duration."
        )
        let rate = bitrate.rate(at: now)
        let usual = bitrate.usual ?? 0
        reasons.add(
            .bitrateFallen,
            Rules.bitrateFallen.deduction(for: Int64(usual / max(1, rate))),
            "The bit rate has fallen to \(rate / 1000) kbit/s; \(usual / 1000) kbit/s are usual."
        )
    }

    private func judgeTracks(_ reasons: inout [Reason], at now: MediaTime) {
        var lost: Reason?
        var overdue: Reason?
        for track in tracks {
            let silence = age(track.lastArrival, at: now)
            let loss = track.lossRule?.deduction(for: silence / patience) ?? 0
            if loss > (lost?.deduction ?? 0) {
                let text = "\(track.name) has stopped for \(silence.inSeconds) while others go on."
                lost = Reason(fault: .trackLost, deduction: loss, text: text)
            }
            guard loss == 0, track.kind == .video else { continue }
            let wait = age(track.keyFrames.lastArrival, at: now)
            // In a feed that comes in segments key frames are as far apart as those.
            let expected = max(track.keyFrames.expected, patience)
            // A tick less, because two intervals are still in time.
            let intervals = (wait - MediaTime(ticks: 1)) / expected
            let deduction = Rules.keyFrameOverdue.deduction(for: intervals)
            guard deduction > (overdue?.deduction ?? 0) else { continue }
            let text =
                track.keyFrames.hasCome
                ? "\(track.name) had its last key frame \(wait.inSeconds) ago; "
                    + "one every \(expected.inSeconds) was expected."
                : "\(track.name) has had no key frame for \(wait.inSeconds)."
            overdue = Reason(fault: .keyFrameOverdue, deduction: deduction, text: text)
        }
        reasons += [lost, overdue].compactMap(\.self)
    }

    private func judgeContent(_ reasons: inout [Reason]) {
        if let limit = checks.frozen {
            for track in tracks where track.pictures.stillness >= limit && !track.pictures.isRestless {
                let stillness = track.pictures.stillness.inSeconds
                reasons.add(.frozen, Rules.frozen, "\(track.name) has shown the same picture for \(stillness).")
                break
            }
        }
        // One silent track of several is usual: audio description has little to say.
        let silences = tracks.filter { $0.kind == .audio }.map(\.audio.silence)
        guard let limit = checks.silence, let least = silences.min(), least >= limit else { return }
        reasons.add(.silent, Rules.silent, "All audio has been silent for \(least.inSeconds).")
    }
}

extension [InputHealth.Reason] {
    fileprivate mutating func add(_ fault: InputHealth.Fault, _ deduction: Int, _ text: @autoclosure () -> String) {
        guard deduction > 0 else { return }
        append(InputHealth.Reason(fault: fault, deduction: deduction, text: text()))
    }
}

extension InputHealth.Track {
    fileprivate var name: String {
        switch kind {
        case .video: "Video track \(index)"
        case .audio: "Audio track \(index)"
        case .text: "Text track \(index)"
        case .metadata: "Metadata track \(index)"
        }
    }

    /// What it costs that nothing comes of it; nil where that is nothing unusual.
    fileprivate var lossRule: InputHealth.Rules.Scale? {
        switch kind {
        case .video: InputHealth.Rules.videoLost
        case .audio: InputHealth.Rules.audioLost
        case .text, .metadata: nil
        }
    }
}

extension MediaTime {
    /// How often another, above zero, fits in whole.
    fileprivate static func / (lhs: Self, rhs: Self) -> Int64 { lhs.ticks / rhs.ticks }

    fileprivate var inSeconds: String {
        let tenths = ticks / (Self.timescale / 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
