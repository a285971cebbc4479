package import MediaCore
package import Timeline

/// Turns the samples of a channel's tracks into slots.
///
/// One track leads, the first video: audio is cut where it is cut. A slot is handed on once every track has what it will
/// have for it, which is when each has moved past it, or when its deadline goes by. Without video the grid's own edges
/// are the boundaries.
///
/// Pure: events in, slots out; time is passed in.
package struct Segmenter: Sendable {
    private let grid: SegmentGrid
    private var tracks: [Track]
    private var leader: Int

    /// Boundaries of the leading track, in UTC, oldest first, of slots that have not been handed on.
    private var boundaries: [SlotBoundaries] = []
    /// Where the newest of them ended.
    private var leaderEnd: (next: MediaSequenceNumber, utc: MediaTime)?
    private var gathered: [MediaSequenceNumber: [Int: CutSegment]] = [:]
    /// The slot to hand on next; nil until the leading track has completed one.
    package private(set) var next: MediaSequenceNumber?
    private var hasStarted = false
    private var latency: LatencyFilter
    /// When the first sample of any track was heard of.
    private var firstHeard: MediaTime?

    private struct SlotBoundaries {
        var number: MediaSequenceNumber
        var start: MediaTime
        var end: MediaTime
    }

    private struct Track {
        var cutter: Cutter
        var utcOffset = MediaTime.zero
        /// The newest slot that it was cut for.
        var newestCut: MediaSequenceNumber?
        var hasSamples = false
        /// What its newest segment with media is decoded with; nil while it has had none, and is not published.
        var configuration: CodecConfiguration?
        /// Where its newest segment ended.
        var end: Boundary?
    }

    private enum Cutter {
        case video(VideoCutter)
        case audio(AudioCutter)
    }

    /// What a late key frame and a busy machine may add to a slot's deadline.
    private static let grace = MediaTime(milliseconds: 500)
    /// How many slots the start is held back for a track that has announced itself but has no media.
    private static let patience = 3

    /// - Parameters:
    ///   - grid: The channel's grid.
    ///   - tracks: In the order in which samples name them; at least one.
    package init(grid: SegmentGrid, tracks: [TrackKind]) {
        self.grid = grid
        self.leader = tracks.firstIndex(of: .video) ?? 0
        self.latency = LatencyFilter(span: grid.slotDuration * 4)
        self.tracks = tracks.map { kind in
            Track(cutter: kind == .video ? .video(VideoCutter(grid: grid)) : .audio(AudioCutter()))
        }
    }

    /// What a track's newest segment with media is decoded with; nil while it has had none.
    package func configuration(of track: Int) -> CodecConfiguration? { tracks[track].configuration }

    /// The repairs of every track since they were last taken.
    package mutating func takeRepairs() -> [CutRepair] {
        tracks.indices.flatMap { index in
            withVideo(index) { $0.takeRepairs() } ?? withAudio(index) { $0.takeRepairs() } ?? []
        }
    }
}

// MARK: - Events

extension Segmenter {
    /// A sample arrived.
    ///
    /// - Parameters:
    ///   - sample: On its track's media timeline.
    ///   - index: Its track's place in the list that the segmenter was made with.
    ///   - configuration: What it is decoded with.
    ///   - utcOffset: UTC minus media time of its input.
    ///   - arrival: UTC; nil for a stored feed, whose arrival says nothing.
    /// - Returns: The slots that are complete with it.
    package mutating func received(
        _ sample: Sample,
        track index: Int,
        configuration: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime?
    ) -> [Slot] {
        tracks[index].utcOffset = utcOffset
        tracks[index].hasSamples = true
        let utc = sample.presentationTime + utcOffset
        // What comes too late to be published must not make the gaps late, too.
        if let arrival, next.map({ utc >= grid.start(of: $0) }) ?? true { latency.observe(arrival - utc, at: arrival) }
        let cuts = withVideo(index) { cutter in
            cutter.received(sample, newConfiguration: configuration, utcOffset: utcOffset)
        }
        if let cuts {
            if cuts.isEmpty { return [] }
            for cut in cuts { gather(cut, track: index) }
            return collect()
        }
        guard case .aac(let configuration) = configuration else { return [] }
        // Before video has begun nothing says where audio is cut, but it need not be kept for ever.
        let oldest = next == nil ? sample.presentationTime - grid.slotDuration * 4 : nil
        withAudio(index) { cutter in
            cutter.received(sample, configuration: configuration)
            if let oldest { cutter.discard(before: oldest) }
        }
        if index == leader { advanceOnGrid() }
        return collect()
    }

    /// Tracks whose input broke off: what follows can only be decoded from a sync sample on.
    package mutating func inputRestarted(tracks restarted: [Int]) {
        for index in restarted {
            withVideo(index) { $0.inputRestarted() }
        }
        guard !hasStarted else { return }
        // Nothing has been published: what comes back is a start, not the end of a gap.
        let grid = grid
        for index in restarted {
            withVideo(index) { $0 = VideoCutter(grid: grid) }
            withAudio(index) { $0 = AudioCutter() }
            tracks[index].newestCut = nil
            for number in gathered.keys { gathered[number]?[index] = nil }
        }
        if restarted.contains(leader) {
            next = nil
            leaderEnd = nil
            boundaries = []
            gathered = [:]
        }
    }

    /// Time went by: slots whose deadline has passed are handed on with what there is.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The slots that are given up waiting for.
    package mutating func timeAdvanced(to now: MediaTime) -> [Slot] {
        electLeader(at: now)
        var slots: [Slot] = []
        while let next, now >= deadline(of: next) {
            closeVideo(next)
            slots += collect(forcing: next)
            // A start is held back without moving on.
            if self.next == next { break }
        }
        return slots
    }

    /// Every input has come to its end.
    package mutating func ended() -> [Slot] {
        for index in tracks.indices {
            let utcOffset = tracks[index].utcOffset
            if let cut = withVideo(index, { $0.finish(utcOffset: utcOffset) }) ?? nil { gather(cut, track: index) }
        }
        // Audio may go on after video has ended.
        let newest = tracks.indices.compactMap { index in
            withAudio(index) { $0.newest }?.map { $0 + tracks[index].utcOffset }
        }.max()
        if let newest {
            if leaderEnd == nil { advanceOnGrid() }
            var number = leaderEnd?.next ?? next ?? grid.slot(at: newest)
            // The last segment holds the rest, as far as the target duration lets it.
            while boundaries.last.map({ newest >= $0.start + grid.longestSegment }) ?? (number <= grid.slot(at: newest))
            {
                appendGridSlot(number)
                number = number.next
            }
        }
        return collect(forcing: boundaries.last?.number, isLast: true)
    }

    /// When a slot is given up waiting for: its end, plus what a late key frame may take, plus the feed's own delay.
    package func deadline(of slot: MediaSequenceNumber) -> MediaTime {
        grid.start(of: slot.next) + grid.tolerance + latency.most + Self.grace
    }
}

// MARK: - Gathering

extension Segmenter {
    private mutating func gather(_ cut: CutSegment, track: Int) {
        // Of leading audio the boundaries are the grid's, and known before it is cut.
        if track == leader, leaderEnd.map({ cut.number >= $0.next }) ?? true {
            append(SlotBoundaries(number: cut.number, start: cut.start.utc, end: cut.end.utc))
        }
        tracks[track].newestCut = cut.number
        gathered[cut.number, default: [:]][track] = cut
    }

    private mutating func append(_ slot: SlotBoundaries) {
        boundaries.append(slot)
        leaderEnd = (slot.number.next, slot.end)
        next = next ?? slot.number
    }

    /// A slot whose end is the grid's edge.
    private mutating func appendGridSlot(_ number: MediaSequenceNumber) {
        let end = leaderEnd?.next == number ? leaderEnd?.utc : nil
        let start = end ?? grid.start(of: number)
        // Video that has ended may have ended long before its slot did.
        let latest = start + grid.longestSegment
        append(SlotBoundaries(number: number, start: start, end: min(grid.start(of: number.next), latest)))
    }

    /// Video that has nothing more to say about a slot, because its time is up.
    private mutating func closeVideo(_ number: MediaSequenceNumber) {
        for index in tracks.indices {
            let utcOffset = tracks[index].utcOffset
            let cuts = withVideo(index) { cutter in
                var cuts: [CutSegment] = []
                while let slot = cutter.slot, slot <= number {
                    if let cut = cutter.deadlinePassed(for: slot, utcOffset: utcOffset) { cuts.append(cut) }
                }
                return cuts
            }
            for cut in cuts ?? [] { gather(cut, track: index) }
        }
        guard case .audio = tracks[leader].cutter else { return }
        while let next = leaderEnd?.next ?? self.next, next <= number { appendGridSlot(next) }
    }

    /// Without video the boundaries are the grid's edges, as far as the leading audio has come.
    private mutating func advanceOnGrid() {
        guard case .audio(let cutter) = tracks[leader].cutter, let newest = cutter.newest else { return }
        let utc = newest + tracks[leader].utcOffset
        guard let next else {
            // The first whole slot: the one that starts now, or the next.
            let slot = grid.slot(at: utc)
            let isWhole = utc - grid.start(of: slot) < MediaTime(milliseconds: 25)
            self.next = isWhole ? slot : slot.next
            return
        }
        var number = leaderEnd?.next ?? next
        while utc >= grid.start(of: number.next) {
            appendGridSlot(number)
            number = number.next
        }
    }

    /// A leading track that stays silent, or has no picture that decoding can start at, must not silence the others.
    private mutating func electLeader(at now: MediaTime) {
        guard next == nil, tracks.contains(where: \.hasSamples) else { return }
        if case .video(let cutter) = tracks[leader].cutter, cutter.hasSync { return }
        let heard = firstHeard ?? now
        firstHeard = heard
        guard now - heard > grid.slotDuration * Int64(Self.patience) + MediaTime(seconds: 10) else { return }
        let others = tracks.indices.filter { $0 != leader && tracks[$0].hasSamples }
        let video = others.first { if case .video(let cutter) = tracks[$0].cutter { cutter.hasSync } else { false } }
        let audio = others.first { if case .audio = tracks[$0].cutter { true } else { false } }
        if let new = video ?? audio { leader = new }
    }

    /// Cuts audio as far as boundaries and frames go, and hands on the slots that every track has completed.
    ///
    /// - Parameters:
    ///   - forced: Up to this slot nothing is waited for.
    ///   - isLast: Whether the feed has ended.
    /// - Returns: The slots that are complete.
    private mutating func collect(forcing forced: MediaSequenceNumber? = nil, isLast: Bool = false) -> [Slot] {
        for index in tracks.indices {
            let offset = tracks[index].utcOffset
            let (newestCut, boundaries) = (tracks[index].newestCut, boundaries)
            let cuts = withAudio(index) { cutter in
                var cuts: [CutSegment] = []
                for slot in boundaries where newestCut.map({ slot.number > $0 }) ?? true {
                    let isForced = forced.map { slot.number <= $0 } ?? false
                    guard isForced || cutter.isComplete(until: slot.end - offset) else { break }
                    let endsFeed = isLast && slot.number == boundaries.last?.number
                    let end = endsFeed ? nil : slot.end - offset
                    cuts.append(cutter.cut(slot.number, from: slot.start - offset, to: end, utcOffset: offset))
                }
                return cuts
            }
            for cut in cuts ?? [] { gather(cut, track: index) }
        }
        var slots: [Slot] = []
        while let number = next, boundaries.contains(where: { $0.number == number }) {
            switch readiness(of: number, isForced: forced.map { number <= $0 } ?? false, isLast: isLast) {
            case .waiting: return slots
            case .complete: slots.append(handOn(number))
            case .useless: break
            }
            gathered[number] = nil
            boundaries.removeAll { $0.number <= number }
            next = number.next
        }
        return slots
    }

    private enum Readiness {
        case waiting, complete, useless
    }

    /// Whether a slot can be handed on.
    private func readiness(of number: MediaSequenceNumber, isForced: Bool, isLast: Bool) -> Readiness {
        let have = gathered[number] ?? [:]
        guard hasStarted || isLast else {
            // A stream starts with media in every rendition. A track that has none holds the start back, but not for ever.
            if tracks.indices.allSatisfy({ have[$0]?.isGap == false }) { return .complete }
            let isUseful = have[leader]?.isGap == false || (have[leader] == nil && have.values.contains { !$0.isGap })
            if !isUseful { return isForced ? .useless : have.count == tracks.count ? .useless : .waiting }
            return boundaries.count >= Self.patience ? .complete : .waiting
        }
        let isMissing = tracks.indices.contains { index in
            have[index] == nil && (tracks[index].configuration != nil || isJoining(index, at: number))
        }
        return isMissing && !isForced ? .waiting : .complete
    }

    /// Whether a track that has had no media may have some for this slot.
    private func isJoining(_ index: Int, at number: MediaSequenceNumber) -> Bool {
        switch tracks[index].cutter {
        case .video(let cutter): cutter.slot.map { $0 <= number } ?? false
        case .audio(let cutter): cutter.newest != nil
        }
    }

    /// The slot as it is; a track joins with its first media.
    private mutating func handOn(_ number: MediaSequenceNumber) -> Slot {
        hasStarted = true
        let have = gathered[number] ?? [:]
        var slot = Slot(number: number, startsDiscontinuity: false, segments: [])
        for index in tracks.indices {
            var cut = have[index]
            if let configuration = cut?.configuration {
                if let before = tracks[index].configuration, before != configuration { slot.startsDiscontinuity = true }
                tracks[index].configuration = configuration
            } else if tracks[index].configuration != nil {
                cut = cut ?? gap(number, track: index)
            } else {
                cut = nil
            }
            tracks[index].end = cut?.end
            slot.segments.append(cut)
        }
        return slot
    }

    /// A gap for a track that has nothing for a slot, not even that.
    private func gap(_ number: MediaSequenceNumber, track: Int) -> CutSegment {
        let slot = boundaries.first { $0.number == number }
        let offset = tracks[track].utcOffset
        let edge = (slot?.start ?? grid.start(of: number)) - offset
        let start = tracks[track].end ?? Boundary(media: edge, utcOffset: offset)
        let shortest = start.media + MediaTime(ticks: 1)
        let media = max((slot?.end ?? grid.start(of: number.next)) - offset, shortest)
        let end = Boundary(
            media: min(media, start.media + grid.longestSegment),
            utcOffset: offset,
            after: start
        )
        return CutSegment(
            number: number,
            start: start,
            end: end,
            timescale: MediaTime.timescale,
            decodeTime: start.media.ticks,
            duration: end.media.ticks - start.media.ticks,
            samples: [],
            configuration: nil
        )
    }
}

// MARK: - Cutters

extension Segmenter {
    /// Lends a track's video cutter; nil if it is audio.
    ///
    /// The cutter is taken out meanwhile: a second owner of its samples would make each append copy them all.
    @discardableResult
    private mutating func withVideo<Result>(_ index: Int, _ body: (inout VideoCutter) -> Result) -> Result? {
        guard case .video(var cutter) = tracks[index].cutter else { return nil }
        tracks[index].cutter = .audio(AudioCutter())
        defer { tracks[index].cutter = .video(cutter) }
        return body(&cutter)
    }

    /// Lends a track's audio cutter; nil if it is video.
    @discardableResult
    private mutating func withAudio<Result>(_ index: Int, _ body: (inout AudioCutter) -> Result) -> Result? {
        guard case .audio(var cutter) = tracks[index].cutter else { return nil }
        tracks[index].cutter = .audio(AudioCutter())
        defer { tracks[index].cutter = .audio(cutter) }
        return body(&cutter)
    }
}
