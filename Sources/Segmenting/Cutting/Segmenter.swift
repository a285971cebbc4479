package import MediaCore
package import Timeline

/// Turns the samples of a channel's tracks into slots.
///
/// Each track has one or more sources, which are all cut by one plan; one of them is chosen to fill each slot. The
/// first video leads, and the other tracks are cut at its boundaries. A slot is handed on once every track has moved
/// past it, or when its deadline passes. Without video the edges of the plan are the boundaries.
///
/// The segmenter is pure: events go in, slots come out, and time is passed in.
package struct Segmenter: Sendable {
    /// The starts of slots, the same for every cutter.
    var plan: BoundaryPlan
    /// The horizon at which decisions are final.
    let horizon: CommitHorizon
    var grid: SegmentGrid { plan.grid }
    let filler: LossFiller
    /// The longest run of empty slots that is made; playlists would no longer list the slots before a longer one.
    let longestRun: Int
    private let failback: MediaTime
    var tracks: [SegmenterTrack] = []
    var leader = TrackIndex(0)

    /// The leading track's boundaries of slots that have not been handed on, oldest first.
    var boundaries: [SlotBoundaries] = []
    /// The boundaries of the newest slots that have been handed on, where slow sources are still cut.
    var past: [SlotBoundaries] = []
    /// The end of the newest of the boundaries.
    var leaderEnd: (next: MediaSequenceNumber, utc: MediaTime)?
    /// The segments of slots that have not been handed on, by track.
    var gathered: [MediaSequenceNumber: [TrackIndex: (cut: CutSegment, source: SourceRank?)]] = [:]
    /// Parts that have not been taken, and those of the next slot that wait for other tracks to begin it.
    var parts: [SlotPart] = []
    /// Slots handed out in parts that begin with another decoder configuration than the one before.
    var discontinuities: Set<MediaSequenceNumber> = []
    /// The slot to hand on next; nil until the leading track has completed one.
    package internal(set) var next: MediaSequenceNumber?
    var hasStarted = false
    /// True if slots were left out before the next one.
    var hasLeapt = false
    /// The time of the last event; nil for stored feeds.
    private(set) var now: MediaTime?
    /// The time until which no slot is given up, because a feed is read once more; nil if none is.
    var repetitionEnd: MediaTime?
    /// The time at which the first sample of any track arrived.
    var firstHeard: MediaTime?
    /// The bytes of fillers that count against the limit.
    ///
    /// For a stored feed these are the bytes since the last event, and for a live feed the bytes beyond what time
    /// allows.
    var filledBytes = 0

    /// The number of slots for which the start is held back for a track that has announced itself but has no media.
    static let patienceAtStart = 3

    /// - Parameters:
    ///   - grid: The channel's grid.
    ///   - failback: The time that a better source must have been whole before it replaces a standby again.
    ///   - filler: The filler of slots that no source has media for.
    ///   - horizon: The horizon at which decisions are final.
    ///   - longestRun: The most slots without media that are handed on in a row if more are due at once.
    package init(
        grid: SegmentGrid,
        failback: MediaTime = MediaTime(seconds: 30),
        filler: LossFiller = .gap,
        horizon: CommitHorizon = .slot,
        longestRun: Int = .max
    ) {
        plan = BoundaryPlan(grid: grid)
        self.horizon = horizon
        self.longestRun = longestRun
        self.failback = failback
        self.filler = filler
    }

    /// Adds a track.
    ///
    /// - Parameters:
    ///   - kind: The first video leads.
    ///   - sourceCount: The number of its sources, the preferred one first.
    /// - Returns: The index of the track, for samples.
    @discardableResult
    package mutating func addTrack(_ kind: MediaKind, sourceCount: Int = 1) -> TrackIndex {
        tracks.append(SegmenterTrack(kind, sourceCount: sourceCount, plan, horizon, failback: failback))
        if next == nil { leader = firstToLead(of: Array(tracks.range)) ?? TrackIndex(0) }
        return TrackIndex(tracks.count - 1)
    }

    /// Continues after a slot that an earlier run has published.
    ///
    /// - Parameters:
    ///   - number: The newest slot of the earlier run.
    ///   - ends: The ends of its segments, by track, each with its media time.
    ///   - codecs: The tracks' values in CODECS; empty if they are not known.
    mutating func resume(after number: MediaSequenceNumber, ends: [SegmentEnd], codecs: [String?] = []) {
        next = number.next
        hasStarted = true
        for (index, end) in ends.enumerated() {
            tracks[index].resume(at: end, codec: codecs.indices.contains(index) ? codecs[index] : nil)
        }
        if tracks.range.contains(leader), ends.indices.contains(leader.value) {
            leaderEnd = (number.next, ends[leader.value].boundary.utc)
        }
    }

    /// Continues a track that an earlier run has published in the segments of another track, whose end is also its own.
    mutating func resume(track: TrackIndex) { tracks[track.value].resume() }

    /// Continues with the choice of a track's sources that an earlier run or a peer has made.
    mutating func restore(_ selection: SourceSelection, track: TrackIndex) {
        tracks[track.value].selector.restore(selection)
    }

    /// Leaves a track out that was published, until it has media.
    mutating func lapse(track: TrackIndex) { tracks[track.value].lapse() }

    /// Returns true if no source has the track, while there are others.
    func isWithdrawn(track: TrackIndex) -> Bool {
        tracks[track.value].isWithdrawn && !tracks.allSatisfy { $0.isWithdrawn || $0.kind.isSparse }
    }

    /// Returns the decoder configuration of a track's newest segment with media; nil while it has had none.
    package func configuration(of track: TrackIndex) -> CodecConfiguration? { tracks[track.value].configuration }

    /// Takes the repairs of every track since the last call.
    mutating func takeRepairs() -> [(repair: CutRepair, track: TrackIndex, source: SourceRank)] {
        tracks.range.flatMap { index in
            tracks[index.value].sources.ranks.flatMap { source in
                tracks[index.value].sources[source].takeRepairs().map { ($0, index, source) }
            }
        }
    }
}

// MARK: - Events

extension Segmenter {
    /// Takes a sample that has arrived.
    ///
    /// - Parameters:
    ///   - sample: The sample, on its source's media timeline.
    ///   - index: The index of its track.
    ///   - source: The rank of its source in the track.
    ///   - configuration: The decoder configuration of the sample.
    ///   - utcOffset: UTC minus media time, for its input.
    ///   - arrival: The time of its arrival, in UTC; nil for a stored feed, whose arrival does not matter.
    /// - Returns: The slots that are complete with it.
    package mutating func received(
        _ sample: Sample,
        track index: TrackIndex,
        source: SourceRank = .primary,
        configuration: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime?
    ) -> [Slot] {
        let utc = sample.presentationTime + utcOffset
        allowFillers(until: arrival)
        now = arrival
        let isAwaited = next.map { utc >= plan.start(of: $0) } ?? true
        if isAwaited, index == leader { repetitionEnd = nil }
        let cuts = tracks[index.value].sources[source].received(
            sample,
            configuration: configuration,
            utcOffset: utcOffset,
            arrival: arrival,
            isAwaited: isAwaited,
            isMissed: tracks[index.value].endsInGap
        )
        for cut in cuts { tracks[index.value].store(cut, from: source) }
        switch tracks[index.value].kind {
        case .video where cuts.isEmpty:
            emitParts(at: arrival, of: index == leader ? nil : index)
            return []
        case .video: break
        case .audio, .text:
            // Before video has begun, other tracks have no known boundary; dropping their older media bounds the
            // memory.
            if next == nil { tracks[index.value].sources[source].discard(before: utc - grid.slotDuration * 4) }
        }
        let slots = collect()
        // The sample does not complete parts of other tracks; due parts are handed out as time advances.
        emitParts(at: arrival, of: index == leader || !slots.isEmpty ? nil : index)
        return slots
    }

    /// Notes that the input of some tracks broke off: their later samples can only be decoded from a sync sample on.
    package mutating func inputRestarted(tracks restarted: [TrackIndex], source: SourceRank = .primary) {
        for index in restarted { tracks[index.value].sources[source].restarted() }
        guard !hasStarted else { return }
        // If no slot has been published, the next media is a start, not the end of a gap, unless another source continues.
        let alone = restarted.filter { !tracks[$0.value].hasSamples(besides: source) }
        for index in alone {
            tracks[index.value].reset(source: source, plan, horizon)
            for number in gathered.keys { gathered[number]?[index] = nil }
        }
        if alone.contains(leader) {
            for index in tracks.range { tracks[index.value].forgetEnd() }
            next = nil
            leaderEnd = nil
            boundaries = []
            gathered = [:]
        }
    }

    /// A picture of a source was lost, to which those after it refer until the next sync sample if it was one itself.
    package mutating func pictureLost(track: TrackIndex, source: SourceRank, isSync: Bool) {
        tracks[track.value].sources[source].damaged(isSync: isSync)
    }

    /// Sets if a source's media counts as whole: not while it is frozen or silent.
    package mutating func setFit(_ isFit: Bool, track: TrackIndex, source: SourceRank) {
        tracks[track.value].sources[source].isUnfit = !isFit
    }

    /// Notes that the input of a sparse track continues, whether the track has anything or not.
    ///
    /// - Parameters:
    ///   - utc: The time, in UTC, that the input has reached.
    ///   - track: The sparse track's place.
    ///   - source: Which of the track's sources the input is.
    ///   - utcOffset: UTC minus media time of the input.
    mutating func inputReached(_ utc: MediaTime, track: TrackIndex, source: SourceRank, utcOffset: MediaTime) {
        tracks[track.value].sources[source].inputReached(utc, utcOffset: utcOffset)
    }

    /// The newest slot that has any video or audio so far; nil before the first.
    var newestBegun: MediaSequenceNumber? {
        tracks.filter { !$0.kind.isSparse }.flatMap(\.sources)
            .compactMap { source in source.slot ?? source.newest.map { plan.slot(at: $0) } }
            .max()
    }

    /// Returns true if a source has delivered anything of a track.
    func hasSamples(track: TrackIndex, source: SourceRank) -> Bool { tracks[track.value].sources[source].hasSamples }

    /// Prefers a source from the next slot on; if it holds, it stays even if other sources have better media.
    package mutating func select(source: SourceRank, track: TrackIndex, holds: Bool) {
        tracks[track.value].selector.held = holds ? source : nil
        tracks[track.value].selector.select(source)
    }

    /// Returns to choosing the source by the media that each has.
    package mutating func selectAutomatically(track: TrackIndex) { tracks[track.value].selector.held = nil }

    /// Hands on slots whose deadline has passed, with the media so far.
    ///
    /// - Parameter now: The time now, in UTC.
    /// - Returns: The slots that were given up.
    package mutating func timeAdvanced(to now: MediaTime) -> [Slot] {
        allowFillers(until: now)
        if self.now != nil { self.now = now }
        electLeader(at: now)
        var slots = collect()
        emitParts(at: now)
        defer { emitParts(at: now) }
        while let next, now >= deadline(of: next) {
            closeVideo(next)
            slots += collect(forcing: next)
            // A start may be held back without progress.
            if self.next == next { break }
            leap(through: plan.slot(at: now - patience).previous)
        }
        return slots
    }
}
