import ISOBMFF
import MediaCore
import Timeline

extension SegmenterTrack {
    /// The facts about a slot that is handed out in parts, besides the media of the sources.
    struct PartContext {
        var number: MediaSequenceNumber
        /// The start of the slot, in UTC.
        var start: MediaTime
        /// The time up to which the slot continues at least, in UTC; audio is handed out no further.
        var reached: MediaTime
        /// The end of the slot where another track leads, in UTC; nil if it is not known.
        var end: MediaTime?
        /// The time up to which a gap may be handed out, in UTC.
        var limit: MediaTime
        /// True if the slot is planned to end at the limit; false if the leading track, which it follows, has got that far.
        var endsAtLimit = true
        /// The time now, in UTC; nil if arrival says nothing.
        var now: MediaTime?
        /// The time after its end for which a part is waited for.
        var patience: MediaTime
        /// The longest duration of a part.
        var longest: MediaTime
        /// The longest duration of a segment.
        var longestSegment: MediaTime
        var filler: LossFiller

        /// Returns true if media after a point is not waited for any more.
        func isDue(after utc: MediaTime) -> Bool { now.map { $0 >= utc + longest + patience } ?? false }
    }

    /// Hands out the parts of a slot that are final by now.
    ///
    /// - Returns: The new parts.
    mutating func emit(_ context: PartContext) -> [CutSegment] {
        if open == nil { begin(context) }
        // Held by one variable, its samples are not copied with each of them.
        guard var slot = open.take() else { return [] }
        let count = slot.parts.count
        while advance(&slot, context) {}
        if let before = parts(inheritedOf: slot.number), !before.agree(with: slot.parts) {
            open = continuing(slot, after: before)
            return []
        }
        open = slot
        return Array(slot.parts[count...])
    }

    /// Chooses the source that fills a slot, by the sources' offers for its first part.
    private mutating func begin(_ context: PartContext) {
        guard let end else { return }
        let before = parts(inheritedOf: context.number)
        let start = end.boundary.utc + (before?.duration ?? .zero)
        let isDue = context.isDue(after: start)
        // Its key frames may come later than those of another source, at whose end the slot begins.
        let preferred = selector.preferred(of: sources.count, for: context.number)
        let offers = sources.ranks.map { rank -> SourceSelector.Offer in
            let mayBeLate = rank == preferred && rank != newestSource
            let isDue = isDue && (!mayBeLate || context.isDue(after: start + context.longest * 2))
            let offer = sources[rank].offer(forPartsOf: context, isDue: isDue)
            if let before, !before.mayContinue(offer) { return .nothing }
            return isDue && (offer == .pending || offer == .stalled) ? .nothing : offer
        }
        let choice: SourceRank?
        switch selector.choose(from: offers, for: context.number) {
        case .source(let source): choice = source
        case .none where isDue || hasPassed(context.number, end: context.end): choice = nil
        case .none, .wait: return
        }
        var slot = OpenSlot(
            context.number,
            after: end,
            source: choice,
            longest: context.longest,
            longestSegment: context.longestSegment
        )
        if choice == nil, let before { slot = continuing(slot, after: before) }
        open = slot
    }

    /// - Returns: True if there may be more.
    private mutating func advance(_ slot: inout OpenSlot, _ context: PartContext) -> Bool {
        if let source = slot.source {
            // A complete segment is handed out with the slot.
            if sources[source].cut(for: slot.number) == nil,
                let media = sources[source].emit(context, isRest: false)
            {
                _ = append(media, to: &slot, source, context.longestSegment)
                return true
            }
        }
        guard context.isDue(after: slot.dueStart(in: context)) else { return false }
        // The source is complete up to the limit, and waits for the leading track, which may have died.
        if let source = slot.source, sources[source].isAhead(in: context) { return false }
        // The source has died, or lags: the media that it has is handed out, and later media is not.
        if let source = slot.source,
            let media = sources[source].cut(for: slot.number)?.unemitted ?? sources[source].emit(context, isRest: true)
        {
            _ = append(media, to: &slot, source, context.longestSegment)
        }
        slot.source = nil
        let limit = min(context.limit, slot.latestEnd)
        // If the leading track continues, the samples after a short part fill it up.
        if slot.hasShortRest, !context.endsAtLimit, limit <= slot.end.boundary.utc { return false }
        return advance(&slot, withoutMediaUntil: limit, context.filler)
    }

    private mutating func append(
        _ media: CutSegment,
        to slot: inout OpenSlot,
        _ source: SourceRank,
        _ longest: MediaTime
    ) -> Bool {
        if slot.parts.isEmpty, slot.configuration == nil {
            guard let media = decodable(media) else { return false }
            let first = joined(media, from: source, longest: longest)
            noteSync(of: first)
            return slot.append(first)
        }
        let next = media.shifted(by: shift).following(slot.end, longest: longest, in: slot)
        noteSync(of: next)
        return slot.append(next)
    }

    /// Returns the media that a decoder can begin with, if it cannot continue from what was before; nil if there is
    /// none.
    private func decodable(_ media: CutSegment) -> CutSegment? {
        guard kind == .video, end?.isGap == true else { return media }
        return media.samples.firstIndex(where: \.isSync).map { media.slice($0..<media.samples.count) }
    }

    /// Continues by one part without media, up to a point in UTC at most.
    ///
    /// - Returns: True if there may be more.
    func advance(_ slot: inout OpenSlot, withoutMediaUntil utc: MediaTime, _ filler: LossFiller) -> Bool {
        if !slot.hasShortRest { slot.flush() }
        if fill(&slot, until: utc, filler) { return true }
        slot.flush()
        let end = min(slot.partsEnd.utc + slot.longest, utc)
        guard end > slot.partsEnd.utc else { return false }
        slot.append(gap: slot.gap(until: end))
        return true
    }

    /// Fills up the part under way; a filler must have the decoder configuration of the media before.
    ///
    /// - Returns: False if only a gap can follow.
    private func fill(_ slot: inout OpenSlot, until utc: MediaTime, _ filler: LossFiller) -> Bool {
        let end = min(slot.end.boundary.utc + slot.room, utc)
        guard end > slot.end.boundary.utc, !slot.hasGap, !slot.endsShort,
            let filled = filler.fill(slot.gap(until: end), of: self, after: slot.fillers),
            let configuration = filled.configuration, slot.configuration?.continues(configuration) ?? true,
            slot.append(filled)
        else { return false }
        // A slate's last picture may begin another part.
        if !slot.hasShortRest { slot.flush() }
        return true
    }

    /// Completes a slot whose first parts were handed out.
    ///
    /// - Parameters:
    ///   - end: The end of the slot in UTC, if its source does not tell.
    ///   - isOver: True if the slot ends there even if its sources have more.
    ///   - now: The time now, in UTC; nil if arrival says nothing.
    ///   - longest: The longest duration of a segment.
    ///   - filler: The filler for missing media.
    /// - Returns: The segment with its source, and the new parts; nil while its source is waited for.
    mutating func complete(
        at end: MediaTime,
        isOver: Bool,
        now: MediaTime?,
        longest: MediaTime,
        filler: LossFiller
    ) -> (cut: CutSegment, source: SourceRank?, parts: [CutSegment])? {
        guard var slot = open else { return nil }
        var emitted = slot.parts.count
        let whole = slot.source.flatMap { sources[$0].cut(for: slot.number) }
        let passed = sources.lazy.compactMap { $0.cut(for: slot.number) }.first
        let isPassed = passed != nil || hasPassed(slot.number, end: nil)
        guard whole != nil || isOver || slot.source == nil && isPassed else { return nil }
        var isWhole = false
        // Half a slot, by which the next one may be longer than others.
        let half = MediaTime(ticks: longest.ticks / 3)
        if let source = slot.source, let whole, !whole.isGap {
            isWhole =
                if let rest = whole.unemitted {
                    append(rest, to: &slot, source, longest)
                } else {
                    // The next picture takes the time of those that are missing.
                    whole.end.utc - slot.end.boundary.utc + (sources[source].video?.frameDuration ?? .zero)
                        <= (whole.precedesHole ? slot.longest : min(VideoCutter.hole, half))
                }
        }
        // The next slot may begin otherwise than planned.
        let next = passed?.end.utc ?? sources.lazy.compactMap { $0.start(of: slot.number.next) }.min() ?? end
        let reached = slot.end.boundary.utc
        let utc = isWhole ? reached : max(min(next, slot.latestEnd), reached)
        // A source that has lost its track leaves a slot that is not over.
        if !isWhole, !isOver, let now, utc > now { return nil }
        while advance(&slot, withoutMediaUntil: utc, filler) {}
        emitted = correct(&slot, endingAt: utc, isWhole: true) ?? emitted
        guard let cut = slot.segment(of: isWhole ? whole : nil) else { return nil }
        for index in sources.ranks { sources[index].forget(through: slot.number) }
        open = nil
        return (cut, cut.isGap || cut.filler != nil ? nil : slot.sourceOfMedia, Array(slot.parts[emitted...]))
    }
}

extension OpenSlot {
    /// Returns the start, in UTC, of a part that is as long as a part may be and ends when the next one does.
    ///
    /// Without media, the next one ends with the slot at the latest.
    fileprivate func dueStart(in context: SegmenterTrack.PartContext) -> MediaTime {
        guard source == nil, context.endsAtLimit else { return partsEnd.utc }
        return min(partsEnd.utc, context.limit - context.longest)
    }
}

extension CutSegment {
    /// Makes a gap from the end of the segment before it.
    init(number: MediaSequenceNumber, gapAfter before: SegmentEnd, to end: Boundary) {
        let begin = MediaTime.rescale(before.units, from: before.timescale, to: MediaTime.timescale)
        self.init(
            number: number,
            start: before.boundary,
            end: end,
            timescale: MediaTime.timescale,
            decodeTime: begin,
            duration: max(end.media.ticks - begin, 1),
            samples: [],
            configuration: nil
        )
    }
}

extension TrackSource {
    /// Offers the source's media for a slot's first part.
    ///
    /// Members of a pair receive the packets of an input in the same order, but at different times. So an offer covers
    /// only the input's media up to the end of the part, and ignores later packets; unusable packets show its progress,
    /// too. Until the part is due, it waits for a source that has begun the slot. The next packet of that source may
    /// come before another's at one member, and after it at the other.
    ///
    /// - Parameters:
    ///   - context: The slot.
    ///   - isDue: True if its first part is waited for no longer.
    /// - Returns: The offer for the part, which counts for the whole slot.
    fileprivate func offer(forPartsOf context: SegmenterTrack.PartContext, isDue: Bool) -> SourceSelector.Offer {
        let offer = offer(for: context.number, now: context.now)
        guard offer == .pending || offer == .stalled else { return offer }
        let (progress, isSound) = progress(in: context)
        guard progress > .zero else { return offer }
        if progress >= context.longest { return isSound && !isUnfit ? .whole : .partial(context.longest) }
        // If several lag, the preferred one is taken.
        if isDue { return .partial(isSound ? context.longest : progress) }
        return isLost ? offer : .pending
    }

    /// Returns the progress of its input in a slot, and true if nothing is missing in the first part.
    private func progress(in context: SegmenterTrack.PartContext) -> (duration: MediaTime, isSound: Bool) {
        if let video {
            guard video.slot == context.number, video.isWhole(context.number) else { return (.zero, false) }
            let lost = lost.last.map { $0 - utcOffset + video.reordering - video.start.media }
            return (max(video.availableDuration, lost ?? .zero), video.isSound)
        }
        guard let audio else { return (.zero, false) }
        let reached = min(max(newest ?? context.start, lost.last ?? context.start), context.reached)
        let isWhole = !lost.contains { context.start <= $0 && $0 < context.start + context.longest }
        return (reached - context.start, isWhole && audio.isSound(from: context.start - utcOffset))
    }

    /// Returns true if it has audio beyond the point up to which the leading track is known to go.
    fileprivate func isAhead(in context: SegmenterTrack.PartContext) -> Bool {
        !context.endsAtLimit && newest.map { $0 >= context.reached } ?? false
    }

    fileprivate mutating func emit(_ context: SegmenterTrack.PartContext, isRest: Bool) -> CutSegment? {
        if video != nil { return video?.emit(context.number, utcOffset: utcOffset, isRest: isRest) }
        return audio?.emit(
            context.number,
            from: context.start - utcOffset,
            reached: context.reached - utcOffset,
            utcOffset: utcOffset,
            isRest: isRest
        )
    }

    /// The start of the slot that its video is filling, in UTC; nil if that is another one.
    func start(of number: MediaSequenceNumber) -> MediaTime? {
        slot == number ? video?.start.utc : nil
    }

    /// Returns the time, in UTC, up to which its pictures of a slot continue at least.
    func reached(in number: MediaSequenceNumber) -> MediaTime? {
        slot == number ? video?.reached.map { $0 + utcOffset } : nil
    }
}
