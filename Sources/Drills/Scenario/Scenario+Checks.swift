import MediaCore

extension Scenario {
    /// The reason why a fault cannot be done; nil if it can.
    func problem(of fault: ScriptedFault) -> String? {
        let name = fault.action.name
        let end = Decimals.text(duration.seconds, places: 3)
        if fault.start < .zero { return "\(name) begins before the drill" }
        if fault.start >= duration { return "\(name) begins when the drill is over, which takes \(end) s" }
        if let length = fault.duration, length <= .zero { return "\(name) has no duration" }
        if let faultEnd = fault.end, faultEnd >= duration {
            let text = Decimals.text(faultEnd.seconds, places: 3)
            return "\(name) ends at \(text) s, when the drill is over, which takes \(end) s"
        }
        switch (fault.target, fault.action) {
        case (let target, .feed(.sourceFrozen)), (let target, .feed(.sourceSilent)):
            guard feed(of: target)?.encoder == nil else { break }
            return "\(name) needs an encoder that is fed: 'encoder: libx264 -b:v 800k -g 50' of \(target)"
        default: break
        }
        switch (fault.target, fault.action) {
        case (.subtitles, .subtitlesLost): return nil
        case (.subtitles, _), (_, .subtitlesLost):
            return "only subtitles-lost is done to subtitles, and to nothing else"
        case (.cache, .cacheKilled): return nil
        case (.cache, _), (_, .cacheKilled):
            return "only cache-killed is done to a cache, and to nothing else"
        case (.machine, .machineKilled): return nil
        case (.machine, _), (_, .machineKilled):
            return "only machine-killed is done to machines, and to nothing else"
        case (.packager, .feed): return "\(name) is done to inputs and backups, not to a packager"
        case (.packager, _): return nil
        case (_, .feed(let feedFault)):
            return ScheduledFault(feedFault, at: fault.start, for: fault.duration).problem
        case (_, _): return "\(name) is done to packagers, such as packager-1"
        }
    }

    private func feed(of target: Target) -> Feed? {
        switch target {
        case .input(let number): inputs[number - 1]
        case .backup(let number): backups[number - 1]
        case .packager, .subtitles, .cache, .machine: nil
        }
    }

    /// The time until a packager has started and a player that begins three target durations from the live edge plays.
    var usualWarmUp: MediaTime {
        targetDuration * 3 + MediaTime(seconds: 4) + segmentDuration
    }

    /// EXT-X-TARGETDURATION of the playlists.
    var targetDuration: MediaTime {
        MediaTime(seconds: (segmentDuration.ticks * 3 / 2 + MediaTime.timescale - 1) / MediaTime.timescale)
    }
}

extension ScriptedFault {
    /// Returns true if another cannot be done to the same target at the same time.
    func collides(with other: ScriptedFault) -> Bool {
        let overlaps = start < other.effectiveEnd && other.start < effectiveEnd
        guard target == other.target, overlaps || start == other.start else { return false }
        return action.name == other.action.name || action.isOfSource && other.action.isOfSource || action.leavesNothing
            || other.action.leavesNothing
    }

    /// The time when something else can be done to the target; never after a fault that stays.
    private var effectiveEnd: MediaTime {
        switch action {
        case .feed(.timestampJump), .feed(.timestampWrap), .feed(.configurationChange), .packagerUpgraded: end ?? start
        default: end ?? MediaTime(ticks: .max)
        }
    }
}
