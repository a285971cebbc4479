import MediaCore
import Timeline

/// One source of a track, cut on the grid, on air or not.
///
/// A source has one cutter. Each kind of cutter has a separate property and is changed in place: a cutter with its
/// samples is too large to be copied for each new one.
struct TrackSource: Sendable {
    private let kind: MediaKind
    var video: VideoCutter?
    var audio: AudioCutter?
    var text: TextCutter?
    /// UTC minus media time, for its input.
    var utcOffset = MediaTime.zero
    /// The newest step from one of its samples to the next; zero for cues.
    private(set) var sampleDuration = MediaTime.zero
    private(set) var hasSamples = false
    /// True if its input has broken off.
    private(set) var isLost = false
    /// True if its input never had the track, or no longer has it.
    private(set) var isWithdrawn = false
    /// True if its media is not to be trusted: frozen, or silent.
    var isUnfit = false
    /// The arrival of its newest sample; nil for a stored feed.
    private(set) var newestArrival: MediaTime?
    /// The arrival of its newest sample that a segment may begin with.
    private(set) var newestEntry: MediaTime?
    /// The rhythm of its samples; after an unusual silence, a track with another source does not wait for this one.
    private var rhythm = DeliveryRhythm()
    /// The delay of its samples.
    private(set) var latency: LatencyFilter
    /// The arrival of the first sample since which all have been too late to be published; nil while they are not.
    private var lateSince: MediaTime?
    /// The time that they have to be late before it counts as the feed's own delay.
    private let lateTolerance: MediaTime
    /// The newest slot that it was cut for.
    private(set) var newestCut: MediaSequenceNumber?
    /// The times, in UTC, of the newest samples that came and cannot be used, where slots are handed out in parts.
    private(set) var lost: [MediaTime] = []
    /// The segments for slots that have not been filled.
    var cuts: [MediaSequenceNumber: CutSegment] = [:]

    /// The most unused slots that are kept: those with media may wait for the slowest of other sources.
    private let mostCuts: Int
    /// The unused slots that are kept in any case, and those before a leap in time that are cut, though nothing came.
    static let fewCuts: Int64 = 8
    /// The most lost samples that are remembered, and the time for which they are: more than a part has.
    private static let (mostLost, lossMemory) = (256, MediaTime(seconds: 10))
    /// The least number of slots for which the delay of samples is remembered; at most it is twice this number.
    static let latencySlots: Int64 = 4
    /// The largest delay; a source that is further behind has another clock.
    private static let mostLate = MediaTime(seconds: 60)

    init(_ kind: MediaKind, _ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        self.kind = kind
        latency = LatencyFilter(span: plan.grid.slotDuration * Self.latencySlots)
        lateTolerance = plan.grid.slotDuration
        mostCuts = Int(Self.fewCuts) + Int(Self.mostLate.ticks / max(1, plan.grid.slotDuration.ticks))
        makeCutter(plan, horizon)
    }

    private mutating func makeCutter(_ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        switch kind {
        case .video: video = VideoCutter(plan, horizon: horizon)
        case .audio: audio = AudioCutter()
        case .text(let format): text = TextCutter(format)
        }
        sampleDuration = video?.frames.newest ?? audio?.frameDuration ?? .zero
    }

    /// True if decoding could start anywhere yet.
    var hasSync: Bool { video?.hasSync ?? audio.map { $0.newest != nil } ?? true }

    /// The slot that its video is filling.
    var slot: MediaSequenceNumber? { video?.slot }

    /// The progress of its media in UTC, if it is cut by the leading track: its newest frame of audio, or its newest
    /// cue.
    var newest: MediaTime? { (audio?.newest ?? text?.newest).map { $0 + utcOffset } }

    /// Returns true if it may have media for a slot that is worth waiting for.
    func mayFill(_ number: MediaSequenceNumber) -> Bool {
        if let slot = video?.slot { return slot <= number }
        return audio?.newest != nil
    }

    mutating func takeRepairs() -> [CutRepair] {
        video?.takeRepairs() ?? audio?.takeRepairs() ?? text?.takeRepairs() ?? []
    }

    // MARK: Events

    /// Takes a sample that has arrived; `isAwaited` is true if its slot has not been handed on, `isMissed` if viewers
    /// have nothing of the track meanwhile.
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
        // Cues come when there is something to say: their delay does not tell when slots are complete.
        if text?.received(sample, configuration: configuration) != nil {
            let reached = max(text?.reached ?? .zero, sample.presentationTime + utcOffset)
            text?.inputReached(reached)
            return []
        }
        newestArrival = arrival
        if sample.isSync || sample.isRecoveryPoint { newestEntry = arrival }
        if let arrival {
            rhythm.received(mediaTime: sample.decodeTime, at: arrival)
            let late = arrival - sample.presentationTime - utcOffset
            latency.observe(
                isAwaited || isMissed && isDelayOfFeed(late, at: arrival) ? late : min(late, .zero),
                at: arrival
            )
            if isAwaited { lateSince = nil }
        }
        video?.resume(at: utcOffset)
        audio?.resume(at: utcOffset)
        audio?.received(sample, configuration: configuration)
        let complete = video?.received(sample, newConfiguration: configuration, utcOffset: utcOffset) ?? []
        sampleDuration = video?.frames.newest ?? audio?.frameDuration ?? .zero
        return complete
    }

    /// Notes a sample that came too late to be published.
    ///
    /// Such a sample must not delay the gaps; it only shows that its feed is not ahead. But if no sample comes in time
    /// for a whole slot, the delay belongs to the feed, for example after its encoder was restarted with a longer
    /// delay. Later slots then wait for the feed; otherwise all of them would be gaps.
    ///
    /// - Returns: True if the delay is the feed's.
    private mutating func isDelayOfFeed(_ late: MediaTime, at arrival: MediaTime) -> Bool {
        guard late <= Self.mostLate else { return false }
        let since = lateSince ?? arrival
        lateSince = since
        return arrival - since >= lateTolerance
    }

    /// Notes that its input continues, even if this track has nothing.
    ///
    /// - Parameters:
    ///   - utc: The progress of the input, in UTC.
    ///   - utcOffset: UTC minus media time.
    mutating func inputReached(_ utc: MediaTime, utcOffset: MediaTime) {
        self.utcOffset = utcOffset
        isLost = false
        text?.inputReached(utc)
    }

    /// Forgets audio and cues before a point in UTC.
    mutating func discard(before utc: MediaTime) {
        audio?.discard(before: utc - utcOffset)
        text?.discard(before: utc - utcOffset)
    }

    /// Makes video begin a slot at a time in UTC, if a sync sample comes there.
    mutating func awaitRepetition(of number: MediaSequenceNumber, from utc: MediaTime) {
        video?.resumption = (number, utc)
    }

    /// Notes that its input broke off.
    mutating func restarted() {
        isLost = true
        video?.inputRestarted()
        text?.inputLost()
    }

    /// States if its input has the track.
    ///
    /// - Returns: The segments of video that are as complete as they will be.
    mutating func setWithdrawn(_ isWithdrawn: Bool) -> [CutSegment] {
        guard isWithdrawn != self.isWithdrawn else { return [] }
        self.isWithdrawn = isWithdrawn
        return isWithdrawn ? slot.map { close(through: $0) } ?? [] : []
    }

    /// Notes a lost picture; a lost sync sample spoils the pictures up to the next one.
    mutating func damaged(isSync: Bool) {
        if isSync { video?.inputRestarted() } else { video?.pictureLost() }
    }

    /// Notes a sample that cannot be used, in UTC.
    mutating func sampleLost(at utc: MediaTime) {
        lost = lost.suffix(Self.mostLost - 1).filter { $0 > utc - Self.lossMemory } + [utc]
    }

    /// Notes that boundaries have moved.
    mutating func follow(_ plan: BoundaryPlan) { video?.plan = plan }

    /// Begins anew, with nothing published.
    mutating func reset(_ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        makeCutter(plan, horizon)
        newestCut = nil
        cuts = [:]
    }

    /// Ends all slots of video up to this one, whose time is up.
    mutating func close(through number: MediaSequenceNumber) -> [CutSegment] {
        var cuts: [CutSegment] = []
        while let slot, slot <= number {
            if let cut = video?.deadlinePassed(for: slot, utcOffset: utcOffset) { cuts.append(cut) }
            // A feed that begins in 1970 is not cut into a gap for each slot since.
            video?.leap(to: number.advanced(by: -Self.fewCuts), utcOffset: utcOffset)
        }
        return cuts
    }

    /// Makes the last segment of the samples that are left of video: the feed has ended.
    mutating func finish() -> CutSegment? { video?.finish(utcOffset: utcOffset) }

    /// Cuts audio or text at the boundaries of a slot.
    ///
    /// - Parameters:
    ///   - slot: The boundaries of the slot.
    ///   - isForced: True if frames that may still come are not waited for.
    ///   - endsFeed: True if the segment ends with the feed.
    /// - Returns: The segment; nil for video, and while frames are missing.
    mutating func cut(_ slot: SlotBoundaries, isForced: Bool, endsFeed: Bool) -> CutSegment? {
        text?.cut(slot, utcOffset: utcOffset) ?? cutAudio(slot, isForced: isForced, endsFeed: endsFeed)
    }

    private mutating func cutAudio(_ slot: SlotBoundaries, isForced: Bool, endsFeed: Bool) -> CutSegment? {
        let (start, end, hasMedia) = (slot.start - utcOffset, slot.end - utcOffset, audio?.newest != nil)
        guard isForced || isWithdrawn && hasMedia || audio?.isComplete(until: end) == true else { return nil }
        // If no media is left at the end of the feed, the gap is as long as the slot.
        return audio?.cut(slot.number, from: start, to: endsFeed && hasMedia ? nil : end, utcOffset: utcOffset)
    }

    // MARK: Offers and cuts

    mutating func store(_ cut: CutSegment) {
        newestCut = cut.number
        cuts[cut.number] = cut
        // Cuts are only removed once the next slot is known.
        guard cuts.count > Self.fewCuts, let oldest = firstCut else { return }
        if cuts[oldest]?.isGap == true || cuts.count > mostCuts { cuts[oldest] = nil }
    }

    /// The oldest slot that it has a segment for.
    var firstCut: MediaSequenceNumber? { cuts.keys.min() }

    func cut(for number: MediaSequenceNumber) -> CutSegment? { cuts[number] }

    mutating func forget(through number: MediaSequenceNumber) {
        for old in cuts.keys where old <= number { cuts[old] = nil }
    }

    /// Returns its offer for a slot; `now` is UTC, nil if arrival says nothing.
    func offer(for number: MediaSequenceNumber, now: MediaTime?) -> SourceSelector.Offer {
        if let cut = cuts[number] {
            if isUnfit, cut.isWhole { return .partial(cut.coverage) }
            return cut.offer
        }
        if isWithdrawn { return .nothing }
        if let newestCut, newestCut >= number { return .nothing }
        guard mayFill(number) else { return .nothing }
        if isLost { return .stalled }
        if let now, let newestArrival, now - newestArrival > rhythm.patience { return .stalled }
        return .pending
    }
}

extension [TrackSource] {
    /// The ranks of all sources.
    var ranks: Range<SourceRank> { .primary..<SourceRank(count) }

    /// The source of a rank, changed in place.
    subscript(source: SourceRank) -> TrackSource {
        _read { yield self[source.value] }
        _modify { yield &self[source.value] }
    }
}
