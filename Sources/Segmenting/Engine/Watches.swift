import MediaCore

/// The observations that a channel makes for its operator, in addition to its decisions for viewers.
struct Watches: Sendable {
    private var clock = ClockWatch()
    private var ladder = LadderWatch()
    var repairs = RepairLog()
    var keyFrames = KeyFrameFit()
    var outcomes = RecentOutcomes()
    /// The time at which the inputs were last looked after.
    private var judged = MediaTime.zero
    /// The reasons for which playlists are refused.
    private var failures: [FailureCondition] = []
    /// The kinds and inputs of repairs whose reports said that viewers do not see them.
    private var unseenRepairs: Set<String> = []
    /// The state of the channel when its inputs were last looked after; nil before.
    var status: ChannelEngine.Status?

    /// Returns true if the inputs are due for a check: problems are reported within a second.
    mutating func isDue(at now: MediaTime) -> Bool {
        guard abs((now - judged).ticks) >= MediaTime.timescale / 4 else { return false }
        judged = now
        return true
    }

    /// Returns true if a report needs the advice: the first of its kind and input, and the first that viewers see.
    mutating func mustAdvise(on repair: RepairLog.Repair, isSeen: Bool) -> Bool {
        let subject = "\(repair.kind) \(repair.input?.description ?? "")"
        if isSeen { return unseenRepairs.remove(subject) != nil || repair.isFirst }
        if repair.isFirst { unseenRepairs.insert(subject) }
        return repair.isFirst
    }

    /// Compares the channel's clock with the machine's.
    ///
    /// - Returns: A report in one sentence; nil if nothing has changed.
    mutating func compareClock(_ now: MediaTime, wallClock: MediaTime) -> String? {
        clock.observe(now, wallClock: wallClock)
    }

    /// True if the channel's clock agreed with the machine's when they were compared last.
    var clockAgrees: Bool { clock.agrees }

    /// Compares the tracks of a slot, as ``LadderWatch/observe(_:areInSync:)``.
    mutating func compareTracks(
        of slot: Slot,
        areInSync: (TrackIndex, TrackIndex) -> Bool
    ) -> [(track: TrackIndex, news: String, isAligned: Bool)] {
        ladder.observe(slot, areInSync: areInSync)
    }

    /// Takes the reasons for which playlists are refused now.
    ///
    /// - Returns: True if they are others than before.
    mutating func refused(for failures: [FailureCondition]) -> Bool {
        defer { self.failures = failures }
        return failures != self.failures
    }
}
