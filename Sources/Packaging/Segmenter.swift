package import MediaCore
package import Timeline

/// Turns the samples of a channel's tracks into slots.
///
/// The first video track leads: audio is cut where it is cut. A slot is handed on once every track has what it will
/// have for it, which is when each has moved past it, or when its deadline goes by. Without video the grid's own
/// edges are the boundaries.
///
/// Pure: events in, slots out; time is passed in.
package struct Segmenter: Sendable {
    private let grid: SegmentGrid
    private var tracks: [Track]
    private let leader: Int

    /// Boundaries of the leading track, in UTC, oldest first, which an audio track has not been cut at yet.
    private var boundaries: [SlotBoundaries] = []
    private var gathered: [MediaSequenceNumber: [Int: CutSegment]] = [:]
    /// The slot to hand on next; nil until the leading track has completed one.
    package private(set) var next: MediaSequenceNumber?
    private var hasStarted = false
    private var latency: LatencyFilter
    private var absent: Set<Int> = []

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
        var lastConfiguration: CodecConfiguration?
    }

    private enum Cutter {
        case video(VideoCutter)
        case audio(AudioCutter)
    }

    /// What a late key frame and a busy machine may add to a slot's deadline.
    private static let grace = MediaTime(milliseconds: 500)
    /// How many slots are held back for a track that has announced itself but sent nothing.
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

    /// What a track's newest segment with media is decoded with; nil for a track that the channel started without.
    package func configuration(of track: Int) -> CodecConfiguration? { tracks[track].lastConfiguration }

    /// The repairs of every track since they were last taken.
    package mutating func takeRepairs() -> [CutRepair] {
        var all: [CutRepair] = []
        for index in tracks.indices {
            switch tracks[index].cutter {
            case .video(var cutter):
                all += cutter.takeRepairs()
                tracks[index].cutter = .video(cutter)
            case .audio(var cutter):
                all += cutter.takeRepairs()
                tracks[index].cutter = .audio(cutter)
            }
        }
        return all
    }
}

// MARK: - Events

extension Segmenter {
    /// A sample arrived.
    ///
    /// - Parameters:
    ///   - sample: On its track's media timeline.
    ///   - track: Its place in the list that the segmenter was made with.
    ///   - configuration: What it is decoded with.
    ///   - utcOffset: UTC minus media time of its input.
    ///   - arrival: UTC; nil for a stored feed, whose arrival says nothing.
    package mutating func received(
        _ sample: Sample,
        track index: Int,
        configuration: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime?
    ) -> [Slot] {
        tracks[index].utcOffset = utcOffset
        if let arrival { latency.observe(arrival - (sample.presentationTime + utcOffset), at: arrival) }
        switch (tracks[index].cutter, configuration) {
        case (.video(var cutter), _):
            // Leave no second owner of the samples behind, or each append would copy them all.
            tracks[index].cutter = .audio(AudioCutter())
            let cuts = cutter.received(sample, newConfiguration: configuration, utcOffset: utcOffset)
            tracks[index].cutter = .video(cutter)
            if cuts.isEmpty { return [] }
            for cut in cuts { gather(cut, track: index) }
        case (.audio(var cutter), .aac(let configuration)):
            tracks[index].cutter = .audio(AudioCutter())
            cutter.received(sample, configuration: configuration)
            tracks[index].cutter = .audio(cutter)
            if index == leader { advanceWithoutVideo() }
        case (.audio, _):
            return []
        }
        return collect()
    }

    /// Tracks whose input broke off: what follows can only be decoded from a sync sample on.
    package mutating func inputRestarted(tracks restarted: [Int]) {
        for index in restarted {
            guard case .video(var cutter) = tracks[index].cutter else { continue }
            cutter.inputRestarted()
            tracks[index].cutter = .video(cutter)
        }
    }

    /// Time went by: slots whose deadline has passed are handed on with what there is.
    ///
    /// - Parameter now: UTC.
    package mutating func timeAdvanced(to now: MediaTime) -> [Slot] {
        var slots: [Slot] = []
        while let next, now >= deadline(of: next) {
            closeVideo(next)
            slots += collect(forcing: next)
            guard self.next != next else { break }
        }
        return slots
    }

    /// Every input has come to its end.
    package mutating func ended() -> [Slot] {
        var last: MediaSequenceNumber?
        for index in tracks.indices {
            guard case .video(var cutter) = tracks[index].cutter else { continue }
            let cut = cutter.finish(utcOffset: tracks[index].utcOffset)
            tracks[index].cutter = .video(cutter)
            if let cut {
                gather(cut, track: index)
                if index == leader { last = cut.number }
            }
        }
        if case .audio(let cutter) = tracks[leader].cutter, let newest = cutter.newest {
            advanceWithoutVideo()
            let number = boundaries.last?.number.next ?? grid.slot(at: newest + tracks[leader].utcOffset)
            boundaries.append(
                SlotBoundaries(number: number, start: grid.start(of: number), end: grid.start(of: number.next))
            )
            next = next ?? number
            last = number
        }
        return collect(forcing: boundaries.last?.number, last: last)
    }

    /// When a slot is given up waiting for: its end, plus what a late key frame may take, plus the feed's own delay.
    package func deadline(of slot: MediaSequenceNumber) -> MediaTime {
        grid.start(of: slot.next) + grid.tolerance + latency.most + Self.grace
    }
}

// MARK: - Gathering

extension Segmenter {
    private mutating func gather(_ cut: CutSegment, track: Int) {
        if track == leader {
            boundaries.append(SlotBoundaries(number: cut.number, start: cut.start.utc, end: cut.end.utc))
            next = next ?? cut.number
        }
        tracks[track].newestCut = cut.number
        gathered[cut.number, default: [:]][track] = cut
    }

    /// Video that has nothing more to say about a slot, because its time is up.
    private mutating func closeVideo(_ number: MediaSequenceNumber) {
        for index in tracks.indices {
            guard case .video(var cutter) = tracks[index].cutter else { continue }
            var cuts: [CutSegment] = []
            while let slot = cutter.slot, slot <= number {
                if let cut = cutter.deadlinePassed(for: slot, utcOffset: tracks[index].utcOffset) { cuts.append(cut) }
            }
            tracks[index].cutter = .video(cutter)
            for cut in cuts { gather(cut, track: index) }
        }
        guard case .audio = tracks[leader].cutter else { return }
        while let next = boundaries.last?.number.next ?? self.next, next <= number { appendGridSlot(next) }
    }

    private mutating func appendGridSlot(_ number: MediaSequenceNumber) {
        boundaries.append(
            SlotBoundaries(number: number, start: grid.start(of: number), end: grid.start(of: number.next))
        )
    }

    /// Without video the boundaries are the grid's edges, as far as the leading audio has come.
    private mutating func advanceWithoutVideo() {
        guard case .audio(let cutter) = tracks[leader].cutter, let newest = cutter.newest else { return }
        let utc = newest + tracks[leader].utcOffset
        guard let next else {
            // The first whole slot: the one that starts now, or the next.
            let slot = grid.slot(at: utc)
            let isWhole = utc - grid.start(of: slot) < MediaTime(milliseconds: 25)
            self.next = isWhole ? slot : slot.next
            return
        }
        while true {
            let number = boundaries.last?.number.next ?? max(next, tracks[leader].newestCut?.next ?? next)
            guard utc >= grid.start(of: number.next) else { return }
            appendGridSlot(number)
        }
    }

    /// Cuts audio as far as boundaries and frames go, and hands on the slots that every track has completed.
    ///
    /// - Parameters:
    ///   - forced: Up to this slot nothing is waited for.
    ///   - last: The slot that the feed ends in.
    private mutating func collect(forcing forced: MediaSequenceNumber? = nil, last: MediaSequenceNumber? = nil) -> [Slot] {
        for index in tracks.indices {
            guard case .audio(var cutter) = tracks[index].cutter else { continue }
            tracks[index].cutter = .audio(AudioCutter())
            let offset = tracks[index].utcOffset
            for slot in boundaries where tracks[index].newestCut.map({ slot.number > $0 }) ?? true {
                let isForced = forced.map { slot.number <= $0 } ?? false
                guard isForced || cutter.isComplete(until: slot.end - offset) else { break }
                var end: MediaTime? = slot.end - offset
                // The last segment ends where the feed does, as far as the target duration lets it.
                if slot.number == last, let newest = cutter.newest, newest < slot.start - offset + grid.longestSegment {
                    end = nil
                }
                let cut = cutter.cut(slot.number, from: slot.start - offset, to: end, utcOffset: offset)
                gather(cut, track: index)
            }
            tracks[index].cutter = .audio(cutter)
        }
        var slots: [Slot] = []
        while let number = next, let slot = complete(number, isForced: forced.map { number <= $0 } ?? false) {
            slots.append(slot)
            next = number.next
        }
        if let next { boundaries.removeAll { $0.number < next } }
        return slots
    }

    /// The slot, if every track has what it will have for it.
    private mutating func complete(_ number: MediaSequenceNumber, isForced: Bool) -> Slot? {
        guard boundaries.contains(where: { $0.number == number }) else { return nil }
        let have = gathered[number] ?? [:]
        if !hasStarted {
            // A track that has never had a sample holds the start back, but not for ever.
            let missing = tracks.indices.filter { !absent.contains($0) && have[$0]?.isGap ?? true }
            let isWaitedFor = boundaries.count < Self.patience && !isForced
            if !missing.isEmpty, isWaitedFor { return nil }
            absent.formUnion(missing.filter { tracks[$0].lastConfiguration == nil && !hasSamples($0) })
            hasStarted = true
        } else {
            let missing = tracks.indices.contains { !absent.contains($0) && have[$0] == nil }
            if missing, !isForced { return nil }
        }
        gathered[number] = nil
        var startsDiscontinuity = false
        var segments: [CutSegment?] = []
        for index in tracks.indices {
            if absent.contains(index) {
                segments.append(nil)
                continue
            }
            let cut = have[index] ?? gap(number, track: index)
            if let configuration = cut.configuration {
                if let previous = tracks[index].lastConfiguration, previous != configuration {
                    startsDiscontinuity = true
                }
                tracks[index].lastConfiguration = configuration
            }
            segments.append(cut)
        }
        return Slot(number: number, startsDiscontinuity: startsDiscontinuity, segments: segments)
    }

    private func hasSamples(_ track: Int) -> Bool {
        switch tracks[track].cutter {
        case .video(let cutter): cutter.slot != nil
        case .audio(let cutter): cutter.newest != nil || gathered.values.contains { $0[track]?.isGap == false }
        }
    }

    /// A gap for a track that has not started yet.
    private func gap(_ number: MediaSequenceNumber, track: Int) -> CutSegment {
        let slot = boundaries.first { $0.number == number }
        let offset = tracks[track].utcOffset
        let start = Boundary(media: (slot?.start ?? grid.start(of: number)) - offset, utcOffset: offset)
        let end = Boundary(media: (slot?.end ?? grid.start(of: number.next)) - offset, utcOffset: offset)
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
