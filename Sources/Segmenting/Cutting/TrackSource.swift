import MediaCore
import Timeline

/// One source of a track, cut on the grid whether it is on air or not.
struct TrackSource: Sendable {
    private let kind: MediaKind
    var cutter: Cutter
    /// UTC minus media time of its input.
    var utcOffset = MediaTime.zero
    private(set) var hasSamples = false
    /// Whether its input has broken off.
    private(set) var isLost = false
    /// Whether its input says that it has no such track, or no longer.
    private(set) var isWithdrawn = false
    /// Whether its media is not to be trusted: frozen, or silent.
    var isUnfit = false
    /// When it was last heard of; nil for a stored feed.
    private(set) var newestArrival: MediaTime?
    /// Longer without a sample than is usual, and nobody waits for its next one who has another source.
    private var rhythm = DeliveryRhythm()
    /// How late its samples are.
    private(set) var latency: LatencyFilter
    /// When the first sample came since which all have been too late to be published; nil while they are not.
    private var stragglesSince: MediaTime?
    /// For how long they have to be, until that is how late the feed is.
    private let straggle: MediaTime
    /// The newest slot that it was cut for.
    private(set) var newestCut: MediaSequenceNumber?
    /// What it has for slots that have not been filled.
    var cuts: [MediaSequenceNumber: CutSegment] = [:]

    enum Cutter {
        case video(VideoCutter)
        case audio(AudioCutter)
        case text(TextCutter)
    }

    /// So many slots are kept of what is not asked for.
    static let mostCuts = 8
    /// The lateness of samples is remembered for so many slots at least, and twice as many at most.
    static let latencySlots: Int64 = 4
    /// What is further behind has another clock.
    private static let mostLate = MediaTime(seconds: 60)

    init(_ kind: MediaKind, _ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        self.kind = kind
        latency = LatencyFilter(span: plan.grid.slotDuration * Self.latencySlots)
        straggle = plan.grid.slotDuration
        cutter = Cutter(kind, plan, horizon)
    }

    /// Whether decoding could start anywhere yet.
    var hasSync: Bool {
        switch cutter {
        case .video(let cutter): cutter.hasSync
        case .audio(let cutter): cutter.newest != nil
        case .text: true
        }
    }

    /// The slot that its video is filling.
    var slot: MediaSequenceNumber? {
        if case .video(let cutter) = cutter { cutter.slot } else { nil }
    }

    /// UTC up to where its media has come, where that is cut by what leads: its newest frame of audio, or its newest cue.
    var newest: MediaTime? {
        let newest: MediaTime? =
            switch cutter {
            case .video: nil
            case .audio(let cutter): cutter.newest
            case .text(let cutter): cutter.newest
            }
        return newest.map { $0 + utcOffset }
    }

    /// Whether it may have media for a slot that is worth waiting for.
    func mayFill(_ number: MediaSequenceNumber) -> Bool {
        switch cutter {
        case .video(let cutter): cutter.slot.map { $0 <= number } ?? false
        case .audio(let cutter): cutter.newest != nil
        case .text: false
        }
    }

    mutating func takeRepairs() -> [CutRepair] {
        withVideo { $0.takeRepairs() } ?? withAudio { $0.takeRepairs() } ?? withText { $0.takeRepairs() } ?? []
    }

    // MARK: Events

    /// A sample arrived; `isAwaited` says whether its slot has not been handed on, `isMissed` whether viewers have nothing of
    /// the track meanwhile.
    ///
    /// - Returns: The segments of video that are complete with it.
    mutating func received(
        _ sample: Sample,
        configuration: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime?,
        isAwaited: Bool,
        isMissed: Bool
    ) -> [CutSegment] {
        self.utcOffset = utcOffset
        hasSamples = true
        isLost = false
        // Cues come when there is something to say: how late that is says nothing of when slots are complete.
        let isText: Void? = withText {
            $0.received(sample, configuration: configuration)
            $0.inputReached(max($0.reached ?? .zero, sample.presentationTime + utcOffset))
        }
        if isText != nil { return [] }
        newestArrival = arrival
        if let arrival {
            rhythm.received(mediaTime: sample.decodeTime, at: arrival)
            let late = arrival - sample.presentationTime - utcOffset
            latency.observe(
                isAwaited || isMissed && straggles(late, at: arrival) ? late : min(late, .zero),
                at: arrival
            )
            if isAwaited { stragglesSince = nil }
        }
        withVideo { $0.resume(at: utcOffset) }
        withAudio { $0.resume(at: utcOffset) }
        if let cuts = withVideo({
            $0.received(sample, newConfiguration: configuration, utcOffset: utcOffset)
        }) {
            return cuts
        }
        withAudio { $0.received(sample, configuration: configuration) }
        return []
    }

    /// A sample came too late to be published.
    ///
    /// That must not make the gaps late; that its feed is not ahead it does say. But where nothing comes in time for a
    /// whole slot the feed is that late, as after a restart that knows nothing of it, or behind an encoder that was
    /// started with a longer delay: who did not wait for it would publish nothing but gaps from there on.
    ///
    /// - Returns: Whether its lateness is the feed's.
    private mutating func straggles(_ late: MediaTime, at arrival: MediaTime) -> Bool {
        guard late <= Self.mostLate else { return false }
        let since = stragglesSince ?? arrival
        stragglesSince = since
        return arrival - since >= straggle
    }

    /// Its input goes on, of which this track may have nothing.
    ///
    /// - Parameters:
    ///   - utc: How far the input has come.
    ///   - utcOffset: UTC minus media time.
    mutating func inputReached(_ utc: MediaTime, utcOffset: MediaTime) {
        self.utcOffset = utcOffset
        isLost = false
        withText { $0.inputReached(utc) }
    }

    /// Forgets audio and cues before a point in UTC.
    mutating func discard(before utc: MediaTime) {
        let offset = utcOffset
        withAudio { $0.discard(before: utc - offset) }
        withText { $0.discard(before: utc - offset) }
    }

    /// Its input broke off.
    mutating func restarted() {
        isLost = true
        withVideo { $0.inputRestarted() }
        withText { $0.inputLost() }
    }

    /// Its input says whether it has the track.
    ///
    /// - Returns: The segments of video that are as complete as they will be.
    mutating func setWithdrawn(_ isWithdrawn: Bool) -> [CutSegment] {
        guard isWithdrawn != self.isWithdrawn else { return [] }
        self.isWithdrawn = isWithdrawn
        return isWithdrawn ? slot.map { close(through: $0) } ?? [] : []
    }

    /// A picture was lost, to which those after it refer until the next sync sample if it was one itself.
    mutating func damaged(isSync: Bool) {
        withVideo { cutter in
            if isSync { cutter.inputRestarted() } else { cutter.pictureLost() }
        }
    }

    /// Boundaries have moved.
    mutating func follow(_ plan: BoundaryPlan) { withVideo { $0.plan = plan } }

    /// Begins anew: nothing of it has been published.
    mutating func reset(_ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        cutter = Cutter(kind, plan, horizon)
        newestCut = nil
        cuts = [:]
    }

    /// The time of all slots up to this one is up, for video.
    mutating func close(through number: MediaSequenceNumber) -> [CutSegment] {
        let utcOffset = utcOffset
        return withVideo { cutter in
            var cuts: [CutSegment] = []
            while let slot = cutter.slot, slot <= number {
                if let cut = cutter.deadlinePassed(for: slot, utcOffset: utcOffset) { cuts.append(cut) }
                // A feed that begins in 1970 is not cut into a gap for each slot since.
                cutter.leap(to: number.advanced(by: -Int64(Self.mostCuts)), utcOffset: utcOffset)
            }
            return cuts
        } ?? []
    }

    /// The feed has ended: what is left of video makes the last segment.
    mutating func finish() -> CutSegment? {
        let utcOffset = utcOffset
        return withVideo { $0.finish(utcOffset: utcOffset) } ?? nil
    }

    /// Cuts audio or text where a slot of the leading track was cut.
    ///
    /// - Parameters:
    ///   - slot: Its boundaries.
    ///   - isForced: Whether frames that may still come are not waited for.
    ///   - endsFeed: Whether the segment ends with the feed.
    /// - Returns: The segment; nil for video, and while frames are missing.
    mutating func cut(_ slot: SlotBoundaries, isForced: Bool, endsFeed: Bool) -> CutSegment? {
        let utcOffset = utcOffset
        return withText { $0.cut(slot, utcOffset: utcOffset) }
            ?? cutAudio(slot, isForced: isForced, endsFeed: endsFeed)
    }

    private mutating func cutAudio(_ slot: SlotBoundaries, isForced: Bool, endsFeed: Bool) -> CutSegment? {
        let (offset, isWithdrawn) = (utcOffset, isWithdrawn)
        return withAudio { cutter in
            let isRest = isWithdrawn && cutter.newest != nil
            guard isForced || isRest || cutter.isComplete(until: slot.end - offset) else { return nil }
            // Where nothing is left to end the feed with, the gap is as long as the slot.
            let end = endsFeed && cutter.newest != nil ? nil : slot.end - offset
            return cutter.cut(slot.number, from: slot.start - offset, to: end, utcOffset: offset)
        } ?? nil
    }

    // MARK: What it has

    mutating func store(_ cut: CutSegment) {
        newestCut = cut.number
        cuts[cut.number] = cut
        // As long as nothing says which slot comes next, none is taken away.
        if cuts.count > Self.mostCuts, let oldest = firstCut { cuts[oldest] = nil }
    }

    /// The oldest slot that it has media for.
    var firstCut: MediaSequenceNumber? { cuts.keys.min() }

    func cut(for number: MediaSequenceNumber) -> CutSegment? { cuts[number] }

    mutating func forget(through number: MediaSequenceNumber) {
        for old in cuts.keys where old <= number { cuts[old] = nil }
    }

    /// What it has for a slot; `now` is UTC, nil where arrival says nothing.
    func offer(for number: MediaSequenceNumber, now: MediaTime?) -> SourceSelector.Offer {
        if let cut = cuts[number] {
            if isUnfit, cut.isWhole { return .partial(cut.coverage) }
            return cut.offer
        }
        if isWithdrawn { return .nothing }
        if let newestCut, newestCut >= number { return .nothing }
        switch cutter {
        case .video(let cutter):
            guard let slot = cutter.slot, slot <= number else { return .nothing }
        case .audio(let cutter):
            guard cutter.newest != nil else { return .nothing }
        case .text: return .nothing
        }
        if isLost { return .stalled }
        if let now, let newestArrival, now - newestArrival > rhythm.patience { return .stalled }
        return .pending
    }
}
