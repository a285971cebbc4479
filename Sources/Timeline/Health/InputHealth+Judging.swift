package import MediaCore

extension InputHealth {
    /// Judges the input.
    ///
    /// Call it a few times a second, because silence is not an event.
    ///
    /// - Parameter now: UTC.
    /// - Returns: Its health at that time.
    package func report(at now: MediaTime) -> Report {
        var reasons: [Reason] = []
        var isConnected = false
        switch connection {
        case .neverOpened:
            reasons.add(.neverOpened, Rules.disconnected)
        case .lost(let since):
            reasons.add(.connectionLost(age: age(since, at: now)), Rules.disconnected)
        case .open where isMute:
            reasons.add(.noMedia(age(silence.silentSince ?? now, at: now)), Rules.disconnected)
        case .open:
            isConnected = true
            if offer == .nothing {
                reasons.add(.nothingUsable, Rules.disconnected)
            } else {
                judge(&reasons, at: now)
            }
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
            datagramLosses: datagramLosses,
            isFrozen: faults.contains(.frozen),
            isSilent: faults.contains(.silent),
            isConnected: isConnected
        )
    }

    private func age(_ time: MediaTime, at now: MediaTime) -> MediaTime { max(.zero, now - time) }

    private func judge(_ reasons: inout [Reason], at now: MediaTime) {
        let silence = age(lastArrival, at: now)
        let stalled = Rules.stalled.deduction(for: silence / patience)
        guard stalled == 0 || offer == .text else {
            reasons.add(.noPackets(silence), stalled)
            return
        }
        judgeTracks(&reasons, at: now)
        judgeContent(&reasons)

        let lost = continuityErrors.count(at: now).lastMinute
        reasons.add(.continuityErrors(lost), Rules.continuityErrors.deduction(for: Int64(lost)))
        let repaired = timestampErrors.count(at: now).lastMinute
        reasons.add(.timestampErrors(repaired), Rules.timestampErrors.deduction(for: Int64(repaired)))
        let dependent = dependentSegments.count(at: now).lastMinute
        reasons.add(.dependentSegments(dependent), Rules.dependentSegments.deduction(for: Int64(dependent)))
        let rate = bitrate.rate(at: now)
        let usual = bitrate.usual ?? 0
        let fall = Rules.bitrateFallen.deduction(for: Int64(usual / max(1, rate)))
        reasons.add(.bitrateFallen(to: rate, usual: usual), fall)
    }

    private func judgeTracks(_ reasons: inout [Reason], at now: MediaTime) {
        var lost: Reason?
        var overdue: Reason?
        for track in tracks {
            let silence = age(track.lastArrival, at: now)
            let loss = track.lossRule?.deduction(for: silence / patience) ?? 0
            if loss > (lost?.deduction ?? 0) {
                lost = Reason(finding: .trackStopped(track.name, silence), deduction: loss)
            }
            guard loss == 0, track.kind == .video else { continue }
            let wait = age(track.keyFrames.lastArrival, at: now)
            // In a feed that comes in segments key frames are as far apart as those.
            let expected = max(track.keyFrames.expected, patience)
            // A tick less, because two intervals are still in time.
            let intervals = (wait - MediaTime(ticks: 1)) / expected
            let deduction = Rules.keyFrameOverdue.deduction(for: intervals)
            guard deduction > (overdue?.deduction ?? 0) else { continue }
            let finding: Finding =
                track.keyFrames.hasCome
                ? .keyFrameOverdue(track.name, age: wait, expected: expected) : .noKeyFrame(track.name, wait)
            overdue = Reason(finding: finding, deduction: deduction)
        }
        reasons += [lost, overdue].compactMap(\.self)
    }

    private func judgeContent(_ reasons: inout [Reason]) {
        if let limit = checks.frozen {
            for track in tracks where track.pictures.stillness >= limit && !track.pictures.isRestless {
                reasons.add(.frozen(track.name, track.pictures.stillness), Rules.frozen)
                break
            }
        }
        // One silent track of several is usual: audio description has little to say.
        let silences = tracks.filter { $0.kind == .audio }.map(\.audio.silence)
        guard let limit = checks.silence, let least = silences.min(), least >= limit else { return }
        reasons.add(.silent(least), Rules.silent)
    }
}

extension [InputHealth.Reason] {
    fileprivate mutating func add(_ finding: InputHealth.Finding, _ deduction: Int) {
        guard deduction > 0 else { return }
        append(InputHealth.Reason(finding: finding, deduction: deduction))
    }
}

extension InputHealth.Track {
    fileprivate var name: InputHealth.TrackName { InputHealth.TrackName(kind: kind, index: index) }

    /// The cost of a track that brings nothing; nil if that is nothing unusual.
    fileprivate var lossRule: InputHealth.Rules.Scale? {
        switch kind {
        case .video: InputHealth.Rules.videoLost
        case .audio: InputHealth.Rules.audioLost
        case .text: nil
        }
    }
}

extension MediaTime {
    /// The number of times that another, above zero, fits in whole.
    fileprivate static func / (lhs: Self, rhs: Self) -> Int64 { lhs.ticks / rhs.ticks }
}
