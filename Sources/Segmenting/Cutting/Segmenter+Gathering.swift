import ISOBMFF
import MediaCore
import NIOCore
import Timeline

/// Gathering of complete slots from the tracks.
extension Segmenter {
    /// Cuts audio and text up to the known boundaries and frames, and hands on the slots that every track has completed.
    ///
    /// - Parameters:
    ///   - forced: The last slot for which nothing is waited for.
    ///   - isLast: True if the feed has ended.
    /// - Returns: The slots that are complete.
    mutating func collect(forcing forced: MediaSequenceNumber? = nil, isLast: Bool = false) -> [Slot] {
        guard !tracks.isEmpty else { return [] }
        advanceLeader(forcing: forced)
        cutFollowers(forcing: forced, isLast: isLast)
        var slots: [Slot] = []
        // Removed together, since a run of boundaries may be long.
        var count = 0
        defer { boundaries.removeFirst(count) }
        while let number = next, count < boundaries.count, boundaries[count].number == number {
            let slot = boundaries[count]
            let isForced = forced.map { number <= $0 } ?? false
            for index in tracks.range {
                choose(slot, track: index, isForced: isForced || isWithdrawn(track: index))
            }
            let ahead = boundaries.count - count
            switch readiness(of: number, ahead: ahead, isForced: isForced, isLast: isLast) {
            case .waiting: return slots
            case .complete:
                // Renditions that an earlier run has published continue even if no source ever has media for them
                // again.
                for index in tracks.range where tracks[index.value].isResumed {
                    choose(slot, track: index, isForced: true)
                }
                slots.append(handOn(slot))
            case .useless: break
            }
            gathered[number] = nil
            past.append(slot)
            if past.count > Self.patienceAtStart { past.removeFirst() }
            count += 1
            next = number.next
            // This also drops media that came too late for the slot.
            for index in tracks.range {
                for source in tracks[index.value].sources.ranks {
                    tracks[index.value].sources[source].forget(through: number)
                }
            }
            dropStaleSamples()
        }
        return slots
    }

    /// Drops the samples that sources gather for slots that are long past: they lag, or their clock stands still.
    private mutating func dropStaleSamples() {
        guard past.count == Self.patienceAtStart, let oldest = past.first else { return }
        closeVideo(oldest.number.previous.previous)
        for index in tracks.range {
            for source in tracks[index.value].sources.ranks {
                tracks[index.value].sources[source].discard(before: oldest.start - grid.slotDuration)
            }
        }
    }

    /// Cuts the tracks that follow the leading one.
    private mutating func cutFollowers(forcing forced: MediaSequenceNumber?, isLast: Bool) {
        guard let newest = (boundaries.last ?? past.last)?.number else { return }
        for index in tracks.range {
            for source in tracks[index.value].sources.ranks {
                let newestCut = tracks[index.value].sources[source].newestCut
                if let newestCut, newestCut >= newest { continue }
                // A list of both would be made for every packet.
                for place in 0..<past.count + boundaries.count {
                    let slot = place < past.count ? past[place] : boundaries[place - past.count]
                    if let newestCut, slot.number <= newestCut { continue }
                    // Slots that have been handed on are cut for the source's record only.
                    let isForced = forced.map { slot.number <= $0 } ?? false && slot.number >= next ?? slot.number
                    let endsFeed = isLast && slot.number == boundaries.last?.number
                    guard
                        let cut = tracks[index.value].sources[source]
                            .cut(slot, isForced: isForced, endsFeed: endsFeed)
                    else { break }
                    tracks[index.value].store(cut, from: source)
                }
            }
        }
    }

    /// Returns the segment that fills a track's slot; nil while that is not known.
    func filling(_ number: MediaSequenceNumber, track: TrackIndex) -> CutSegment? { gathered[number]?[track]?.cut }

    /// Fills a track's slot if its media, or the lack of it, is known.
    mutating func choose(_ slot: SlotBoundaries, track index: TrackIndex, isForced: Bool) {
        guard gathered[slot.number]?[index] == nil,
            !completeParts(of: slot, track: index, isForced: isForced),
            isForced || !isRestExpected(slot.number, track: index)
        else { return }
        var chosen = tracks[index.value].choose(slot.number, now: now, isForced: isForced)
        if let (cut, source) = chosen {
            // Only a track that is new needs it.
            let timeline = tracks[index.value].end == nil ? viewersTimeline : ViewersTimeline()
            chosen?.cut = tracks[index.value].joined(cut, from: source, on: timeline, longest: grid.longestSegment)
        }
        if let chosen, !chosen.cut.isGap || tracks[index.value].configuration == nil || !hasStarted {
            let source = chosen.cut.isGap ? nil : chosen.source
            gather(emitWholeSlot(chosen.cut, track: index), track: index, source: source)
        } else if chosen != nil || isForced,
            tracks[index.value].end != nil || hasStarted && tracks[index.value].configuration != nil
        {
            // After slots that were given up, the next one would begin with the last of them.
            let gap = chosen?.cut ?? gap(slot, track: index)
            gather(filled(gap, track: index), track: index, source: nil)
        }
    }

    mutating func gather(_ cut: CutSegment, track index: TrackIndex, source: SourceRank?) {
        var cut = cut
        if tracks[index.value].sources.count > 1 { cut.selection = tracks[index.value].selector.selection }
        tracks[index.value].advance(past: cut)
        gathered[cut.number, default: [:]][index] = (cut, source)
    }

    private enum Readiness {
        case waiting, complete, useless
    }

    /// Returns the readiness of a slot to be handed on.
    private func readiness(
        of number: MediaSequenceNumber,
        ahead: Int,
        isForced: Bool,
        isLast: Bool
    ) -> Readiness {
        let have = gathered[number] ?? [:]
        guard hasStarted || isLast else {
            // A stream starts with media in every rendition. A track without media holds the start back for a limited time.
            let awaited = tracks.range.filter { !tracks[$0.value].isWithdrawn && isAwaited($0) }
            if !awaited.isEmpty, awaited.allSatisfy({ have[$0]?.cut.isGap == false }) { return .complete }
            let isUseful =
                have[leader]?.cut.isGap == false
                || (have[leader] == nil && have.contains { isAwaited($0.key) && !$0.value.cut.isGap })
            if !isUseful { return isForced ? .useless : awaited.allSatisfy({ have[$0] != nil }) ? .useless : .waiting }
            return ahead >= Self.patienceAtStart ? .complete : .waiting
        }
        // Renditions of an earlier run are waited for like those of this run; sparse tracks are not waited for.
        let isMissing = tracks.range.contains { index in
            let isGoingOn = tracks[index.value].isResumed && !tracks[index.value].kind.isSparse
            guard have[index] == nil else { return false }
            return isGoingOn || tracks[index.value].configuration != nil
                || tracks[index.value].isJoining(at: number, now: now)
        }
        return isMissing && !isForced ? .waiting : .complete
    }

    /// Returns true if a track is waited for: a sparse one only has something now and then.
    private func isAwaited(_ track: TrackIndex) -> Bool { track == leader || !tracks[track.value].kind.isSparse }

    /// Makes the slot of the gathered segments; a track joins with its first whole segment.
    private mutating func handOn(_ boundaries: SlotBoundaries) -> Slot {
        let number = boundaries.number
        let isStart = !hasStarted
        hasStarted = true
        let have = gathered[number] ?? [:]
        var slot = Slot(
            number: number,
            followsLeap: hasLeapt,
            startsDiscontinuity: false,
            splice: plan.splice(startingWith: number).map { ($0, boundaries.start - $0) },
            reach: SlotReach(
                start: boundaries.start,
                end: boundaries.end,
                splice: plan.splice(startingWith: number.next),
                nextEnd: plan.start(of: number.next.next)
            ),
            segments: [],
            sources: []
        )
        hasLeapt = false
        for index in tracks.range {
            var filling = have[index]
            if let cut = filling?.cut, !cut.isGap, !isStart,
                !tracks[index.value].joins(with: cut, patience: Self.patienceAtStart)
            {
                filling = nil
            } else if let configuration = filling?.cut.configuration {
                let isContinued = tracks[index.value].configuration?.continues(configuration) ?? true
                if !isContinued { slot.startsDiscontinuity = true }
                tracks[index.value].configuration = configuration
            } else if tracks[index.value].configuration == nil, !tracks[index.value].isResumed {
                filling = nil
            }
            if filling == nil, index != leader { tracks[index.value].advance(past: nil) }
            slot.segments.append(filling?.cut)
            slot.sources.append(filling?.source)
        }
        slot.configurations = tracks.map(\.configuration)
        return slot
    }

    /// Makes a gap for a track whose sources offer neither media nor a gap for a slot.
    private func gap(_ slot: SlotBoundaries, track index: TrackIndex) -> CutSegment {
        let track = tracks[index.value]
        let offset = track.utcOffset
        let start = track.end?.boundary ?? Boundary(media: slot.start - offset, utcOffset: offset)
        let media = max(slot.end - offset, start.media + MediaTime(ticks: 1))
        let end = Boundary(
            media: min(media, start.media + grid.longestSegment),
            utcOffset: offset,
            after: start
        )
        return CutSegment(
            number: slot.number,
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
