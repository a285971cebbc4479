import MediaCore

extension Scenario {
    /// Returns the feed of one encoder, with its faults.
    ///
    /// - Parameters:
    ///   - feed: Its description.
    ///   - target: The encoder.
    ///   - index: Its place among all encoders.
    ///   - clips: The clips that it encodes; nil if the sample is sent as it is.
    /// - Returns: The feed with its schedule, which counts from the start of the encoders.
    /// - Throws: An error if a sample cannot be read.
    func feedConfiguration(
        _ feed: Feed,
        of target: Target,
        index: Int,
        clips: EncodedClips?
    ) throws -> FeedConfiguration {
        let scheduled = faults.compactMap { fault -> ScheduledFault? in
            guard fault.target == target, case .feed(let feedFault) = fault.action else { return nil }
            return ScheduledFault(feedFault.scheduled(with: clips), at: warmUp + fault.start, for: fault.duration)
        }
        return try FeedConfiguration(
            samplePath: clips?.whole ?? feed.samplePath,
            clock: feed.timestamps.clock(index: index, warmUp: warmUp),
            breaks: breaks.map { FeedBreak(start: warmUp + $0.start, end: warmUp + $0.end, lead: $0.lead) },
            schedule: FeedSchedule(scheduled),
            seed: UInt64(index)
        )
    }

    /// The faults of all but feeds.
    var packagerFaults: [ScriptedFault] {
        faults.filter { if case .feed = $0.action { false } else { true } }
    }

    /// The planned breaks, in milliseconds.
    var plannedBreaks: [Span] { breaks.map { Span(Int($0.start.milliseconds), Int($0.end.milliseconds)) } }

    var isEncrypted: Bool {
        options.first { $0.name == "encryption" }.map { $0.values != ["none"] } ?? false
    }

    /// The encoders for reports, and the rest where something is done to it.
    var parts: [DrillRecord.Part] {
        targets.compactMap { target in
            let own = faults.filter { $0.target == target }.map { fault in
                DrillRecord.Fault(
                    title: fault.action.title,
                    start: Int(fault.start.milliseconds),
                    end: fault.end.map { Int($0.milliseconds) },
                    isInstant: fault.action.isInstant && fault.duration == nil
                )
            }
            switch target {
            case .packager, .subtitles, .cache, .machine: if own.isEmpty { return nil }
            case .input, .backup: break
            }
            return DrillRecord.Part(name: "\(target)", faults: own)
        }
    }
}

extension Fault {
    /// The same encoder encodes something else.
    fileprivate func scheduled(with clips: EncodedClips?) -> Fault {
        switch self {
        case .sourceFrozen: clips.map { .configurationChange(samplePath: $0.frozen) } ?? self
        case .sourceSilent: clips.map { .configurationChange(samplePath: $0.silent) } ?? self
        default: self
        }
    }
}

extension ScriptedFault.Action {
    /// True if it changes something at once instead of lasting.
    var isInstant: Bool {
        switch self {
        case .feed(.timestampJump), .feed(.timestampWrap), .feed(.configurationChange), .packagerUpgraded: true
        default: false
        }
    }
}

extension Scenario.Feed.Timestamps {
    func clock(index: Int, warmUp: MediaTime) -> FeedClock {
        switch self {
        case .utc: .utc
        // Far from each other, and from the wrap.
        case .arbitrary: .starting(at: 900_000 + Int64(index) * 1_234_567_890)
        case .nearWrap: .starting(at: Timestamps.transportStreamModulus - (warmUp + MediaTime(seconds: 5)).ticks)
        }
    }
}

extension Scenario.Feed.Transport {
    /// The URL at which a packager receives it.
    func listeningURL(at address: String, port: Int) -> String {
        switch self {
        case .udp: "udp://\(address):\(port)"
        case .srt: "srt://\(address):\(port)?mode=listener&transtype=live"
        }
    }

    /// The URL to which an encoder sends it.
    func sendingURL(to address: String, port: Int) -> String {
        switch self {
        case .udp: "udp://\(address):\(port)?pkt_size=1316"
        case .srt: "srt://\(address):\(port)?mode=caller&transtype=live"
        }
    }
}
