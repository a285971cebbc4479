import MediaCore
import Timeline

/// Slots that are handed out part by part.
extension Segmenter {
    /// The time that a busy machine may add to a part's deadline.
    private static let graceOfParts = MediaTime(milliseconds: 300)

    /// The times for which the segmenter waits for a part after its end.
    struct PartTimeouts {
        /// The delay of the feeds.
        var latency: MediaTime
        /// The delay with all additions.
        var usual: MediaTime
    }

    /// The waiting times for parts: the leading track only shows with its next sample how far the slot continues for
    /// certain, and of each track one sample stays back.
    var partTimeouts: PartTimeouts {
        var longest = MediaTime.zero
        // A closure would get a copy of each track.
        for track in tracks.range { longest = max(longest, tracks[track.value].sampleDuration) }
        let latency = latency
        let usual = latency + Self.graceOfParts + tracks[leader.value].sampleDuration + longest
        return PartTimeouts(latency: latency, usual: usual)
    }

    /// Returns the patience with the parts of a track: one that has been silent for a slot holds up the others no
    /// longer than their own delay, until it says something.
    func patience(withPartsOf track: TrackIndex, _ patience: PartTimeouts) -> MediaTime {
        let isSilent = tracks[track.value].isSilent(for: grid.slotDuration, behind: patience.latency)
        return isSilent ? patience.latency : patience.usual
    }

    /// Takes the parts that are final and have not been taken.
    ///
    /// Parts of a slot wait until every track that viewers have has begun it: where one of them has another decoder
    /// configuration, all begin it with EXT-X-DISCONTINUITY (RFC 8216bis § 6.2.4).
    package mutating func takeParts() -> [SlotPart] {
        guard !parts.isEmpty, let begun = tracks.range.lazy.filter(isServedInParts).map(newestBegun).min() else {
            return []
        }
        var ready = parts.filter { $0.cut.number <= begun }
        if ready.isEmpty { return [] }
        parts.removeAll { $0.cut.number <= begun }
        for index in ready.indices where ready[index].index == 0 {
            ready[index].startsDiscontinuity = discontinuities.contains(ready[index].cut.number)
        }
        discontinuities = discontinuities.filter { $0 >= begun }
        return ready
    }

    /// Notes a sample of a source that came and cannot be used.
    ///
    /// - Parameters:
    ///   - utc: The time at which it would be decoded, in UTC.
    ///   - track: The track.
    ///   - source: The source.
    mutating func sampleLost(at utc: MediaTime, track: TrackIndex, source: SourceRank) {
        tracks[track.value].sources[source].sampleLost(at: utc)
    }

    /// Returns the source that a track's newest slot was begun with.
    func activeSource(of track: TrackIndex) -> SourceRank { tracks[track.value].selector.active }

    /// Hands out the parts of unfinished slots that are final by now; the leading track goes first.
    ///
    /// - Parameters:
    ///   - now: The time now, in UTC; nil if arrival says nothing.
    ///   - only: The only track of which anything is new; nil if that may be all.
    mutating func emitParts(at now: MediaTime?, of only: TrackIndex? = nil) {
        guard let longest = horizon.partDuration, hasStarted else { return }
        // Media that a feed repeats is late, not missing.
        if let repetitionEnd, now.map({ $0 < repetitionEnd }) ?? true { return }
        let patience = partTimeouts
        if let only { return emitParts(of: only, at: now, patience, longest: longest) }
        emitParts(of: leader, at: now, patience, longest: longest)
        for track in tracks.range where track != leader { emitParts(of: track, at: now, patience, longest: longest) }
    }

    private mutating func emitParts(
        of track: TrackIndex,
        at now: MediaTime?,
        _ patience: PartTimeouts,
        longest: MediaTime
    ) {
        guard isServedInParts(track) else { return }
        let patience = self.patience(withPartsOf: track, patience)
        guard let context = partContext(of: track, now: now, patience, longest: longest) else { return }
        note(tracks[track.value].emit(context), of: track)
    }

    /// Completes a slot of a track that is handed out in parts, together with its last parts.
    ///
    /// - Returns: True if it was begun in parts; what fills it is gathered as soon as that is known.
    mutating func completeParts(of slot: SlotBoundaries, track: TrackIndex, isForced: Bool) -> Bool {
        guard horizon != .slot, tracks[track.value].open?.number == slot.number else { return false }
        let isOver = isForced || isOverWithoutMedia(slot, track: track)
        let completed = tracks[track.value].complete(
            at: slot.end,
            isOver: isOver,
            now: now,
            longest: grid.longestSegment,
            filler: filler
        )
        guard let completed else { return true }
        note(completed.parts, of: track, isRest: true)
        gather(completed.cut, track: track, source: completed.source)
        return true
    }

    /// Returns true if no media fills the rest of a slot that is handed out in parts, and its end is known.
    ///
    /// The video decides where the slot ends. If it has died, gaps or fillers reach to the planned end, and the other
    /// tracks do not wait for a part after that.
    private func isOverWithoutMedia(_ slot: SlotBoundaries, track: TrackIndex) -> Bool {
        if tracks[track.value].open?.source != nil { return false }
        guard track == leader, isLedByVideo else { return true }
        guard let end = tracks[track.value].open?.partsEnd.utc, end >= slot.end else { return false }
        // A closure would get a copy of each source.
        for source in tracks[track.value].sources.ranks {
            switch tracks[track.value].sources[source].offer(for: slot.number, now: now) {
            case .nothing, .stalled: continue
            case .whole, .partial, .pending: return false
            }
        }
        return true
    }

    /// Returns true if a track's slot is not over although a source has cut it: its rest follows with time.
    func isRestExpected(_ number: MediaSequenceNumber, track: TrackIndex) -> Bool {
        guard horizon != .slot, isServedInParts(track), let now else { return false }
        return tracks[track.value].sources.contains { $0.cut(for: number).map { $0.end.utc > now } ?? false }
    }

    /// Hands out, in parts, a slot that became known as a whole.
    ///
    /// - Parameters:
    ///   - cut: The media of the slot, or a gap.
    ///   - track: The track.
    ///   - filler: The filler of a gap.
    /// - Returns: Its parts together.
    mutating func emitWholeSlot(_ cut: CutSegment, track: TrackIndex, filler: LossFiller = .gap) -> CutSegment {
        guard let longest = horizon.partDuration, hasStarted, isServedInParts(track), let end = tracks[track.value].end
        else {
            return cut.isGap ? filler.fill(cut, of: tracks[track.value]) ?? cut : cut
        }
        let emitted = tracks[track.value].emitWholeSlot(cut, after: end, longest: longest, grid.longestSegment, filler)
        note(emitted.parts, of: track, isRest: true)
        return emitted.cut
    }

    /// Returns true if viewers get a track in parts.
    private func isServedInParts(_ track: TrackIndex) -> Bool {
        // Sparse tracks are complete only when the slot is, so they have no parts.
        tracks[track.value].isPublished && tracks[track.value].end != nil && !tracks[track.value].kind.isSparse
    }

    private var isLedByVideo: Bool { tracks[leader.value].kind == .video }

    /// The slot that a track's parts are of.
    private func slotOfParts(_ track: TrackIndex) -> MediaSequenceNumber {
        var number = next ?? MediaSequenceNumber(0)
        while gathered[number]?[track] != nil { number = number.next }
        return number
    }

    private func newestBegun(_ track: TrackIndex) -> MediaSequenceNumber {
        if let open = tracks[track.value].open, !open.parts.isEmpty { return open.number }
        return slotOfParts(track).previous
    }

    private func partContext(
        of track: TrackIndex,
        now: MediaTime?,
        _ patience: MediaTime,
        longest: MediaTime
    ) -> SegmenterTrack.PartContext? {
        guard let end = tracks[track.value].end else { return nil }
        let number = slotOfParts(track)
        // A slot that waits for a key frame may last until then, and sound goes on meanwhile.
        let isWaiting = tracks[leader.value].open.map { $0.source == nil && $0.number == number } ?? false
        let mayWait = isLedByVideo && isWaiting && isReturning(leader, in: number)
        let planned = mayWait ? plan.latestStart(of: number.next) : plan.start(of: number.next)
        var context = SegmenterTrack.PartContext(
            number: number,
            start: end.boundary.utc,
            reached: end.boundary.utc,
            limit: planned,
            now: now,
            patience: patience,
            longest: longest,
            longestSegment: grid.longestSegment,
            filler: filler
        )
        if track == leader, isLedByVideo { return context }
        // The other tracks are cut at the boundaries of the leading track, and no further than it is known to reach.
        // Without video, slots end as planned.
        let known = boundaries.first { $0.number == number }
        if let slot = known ?? (isLedByVideo ? nil : plannedSlot(number)) {
            (context.start, context.reached, context.limit) = (slot.start, slot.end, slot.end)
            context.end = slot.end
        } else if let open = tracks[leader.value].open, open.number == number {
            let certain: MediaTime?
            if let source = open.source {
                certain = tracks[leader.value].sources[source].reached(in: number)
            } else {
                // Frames do not end where parts of the gap do, and the newest frame is held back.
                let frames = tracks[track.value].sampleDuration * 2
                certain = min(open.end.boundary.utc + frames, planned)
            }
            context.start = tracks[leader.value].end?.boundary.utc ?? context.start
            context.reached = min(max(open.end.boundary.utc, certain ?? .zero), open.latestEnd)
            (context.limit, context.endsAtLimit) = (open.partsEnd.utc, false)
        } else {
            return nil
        }
        return context
    }

    /// Takes parts to be handed out; none of their slot follows those that are its rest.
    private mutating func note(_ emitted: [CutSegment], of track: TrackIndex, isRest: Bool = false) {
        guard let first = emitted.first else { return }
        let before = tracks[track.value].emitted.number == first.number ? tracks[track.value].emitted.count : 0
        if before == 0, let configuration = emitted.lazy.compactMap(\.configuration).first,
            tracks[track.value].newestConfiguration?.continues(configuration) == false
        {
            discontinuities.insert(first.number)
        }
        for (offset, cut) in emitted.enumerated() {
            var part = SlotPart(track: track, index: before + offset, cut: cut)
            part.isLast = isRest && offset == emitted.count - 1
            parts.append(part)
        }
        tracks[track.value].emitted = (first.number, before + emitted.count)
    }
}

extension SegmenterTrack {
    /// Returns the parts of a slot that is complete, with the segment that they make.
    mutating func emitWholeSlot(
        _ cut: CutSegment,
        after end: SegmentEnd,
        longest: MediaTime,
        _ longestSegment: MediaTime,
        _ filler: LossFiller
    ) -> (cut: CutSegment, parts: [CutSegment]) {
        var slot = OpenSlot(
            cut.number,
            after: end,
            source: nil,
            longest: longest,
            longestSegment: longestSegment
        )
        if cut.isGap {
            // No sample may last longer than a part: filled as if it had been told in time, or a gap as a whole.
            while advance(&slot, withoutMediaUntil: cut.end.utc, filler) {}
            if slot.hasGap || slot.parts.isEmpty {
                slot = slot.emptied()
                slot.append(gap: cut)
            }
        } else if slot.append(cut) {
            slot.flush()
        } else {
            slot.append(gap: CutSegment(number: cut.number, gapAfter: slot.end, to: cut.end))
        }
        let toldCount = correct(&slot, endingAt: cut.end.utc, isWhole: cut.isWhole) ?? 0
        var whole = slot.segment(of: cut) ?? cut
        whole.selection = cut.selection
        return (whole, Array(slot.parts[toldCount...]))
    }
}

extension SegmenterTrack {
    /// Returns true if viewers have no media of it at the moment, and none has come for a slot.
    ///
    /// - Parameters:
    ///   - slotDuration: The duration of a slot.
    ///   - latency: The time that media takes to arrive.
    /// - Returns: True if it has been silent for a slot.
    fileprivate func isSilent(for slotDuration: MediaTime, behind latency: MediaTime) -> Bool {
        guard let end, end.isGap else { return false }
        let since = end.boundary.utc + latency - slotDuration
        // A closure would get a copy of each source.
        for index in sources.ranks {
            if let newest = sources[index].newestArrival, newest > since { return false }
        }
        return true
    }

    /// The duration of its samples.
    fileprivate var sampleDuration: MediaTime {
        var longest = MediaTime.zero
        // A closure would get a copy of each source.
        for index in sources.ranks { longest = max(longest, sources[index].sampleDuration) }
        return longest
    }
}
