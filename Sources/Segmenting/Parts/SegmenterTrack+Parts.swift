import MediaCore
import Timeline

extension SegmenterTrack {
    /// What there is to know of a slot that is told in parts, besides what the sources have.
    struct PartContext {
        var number: MediaSequenceNumber
        /// UTC where the slot begins.
        var start: MediaTime
        /// UTC up to where the slot goes on at least: audio is told no further.
        var reached: MediaTime
        /// UTC up to where a gap may be told.
        var limit: MediaTime
        /// UTC; nil where arrival says nothing.
        var now: MediaTime?
        /// How long after its end a part is given up waiting for.
        var patience: MediaTime
        /// How long a part may last.
        var longest: MediaTime
        /// How long a segment may.
        var longestSegment: MediaTime
        var filler: LossFiller

        /// Whether what would follow a point is not waited for any more.
        func isDue(after utc: MediaTime) -> Bool { now.map { $0 >= utc + longest + patience } ?? false }
    }

    /// Tells what of a slot is final by now.
    ///
    /// - Returns: The parts that are new.
    mutating func tell(_ context: PartContext) -> [CutSegment] {
        if open == nil { begin(context) }
        guard var slot = open else { return [] }
        let count = slot.parts.count
        while goOn(&slot, context) {}
        open = slot
        return Array(slot.parts[count...])
    }

    /// Chooses the source that fills a slot, by what each has for its first part.
    private mutating func begin(_ context: PartContext) {
        guard let end else { return }
        let isDue = context.isDue(after: end.boundary.utc)
        let offers = sources.map { source in
            let offer = source.offer(forPartsOf: context)
            return isDue && (offer == .pending || offer == .stalled) ? .nothing : offer
        }
        let choice: Int?
        switch selector.choose(from: offers, for: context.number) {
        case .source(let source): choice = source
        case .none where isDue: choice = nil
        case .none, .wait: return
        }
        open = OpenSlot(
            context.number,
            after: end,
            source: choice,
            longest: context.longest,
            longestSegment: context.longestSegment
        )
    }

    /// - Returns: Whether there may be more.
    private mutating func goOn(_ slot: inout OpenSlot, _ context: PartContext) -> Bool {
        if let source = slot.source {
            // What is complete is told with the slot.
            if sources[source].cut(for: slot.number) == nil,
                let media = sources[source].tell(context, isRest: false)
            {
                _ = append(media, to: &slot, source, context.longest)
                return true
            }
        }
        guard context.isDue(after: slot.toldEnd.utc) else { return false }
        // It has died, or lags: what it has is told, and what would come is not.
        if let source = slot.source,
            let media = sources[source].cut(for: slot.number)?.untold ?? sources[source].tell(context, isRest: true)
        {
            _ = append(media, to: &slot, source, context.longest)
        }
        slot.source = nil
        slot.flush()
        let end = min(slot.toldEnd.utc + context.longest, context.limit, slot.latestEnd)
        guard end > slot.toldEnd.utc else { return false }
        appendGap(to: end, of: &slot, context.filler)
        return true
    }

    private mutating func append(
        _ media: CutSegment,
        to slot: inout OpenSlot,
        _ source: Int,
        _ longest: MediaTime
    ) -> Bool {
        let isFirst = slot.parts.isEmpty && slot.configuration == nil
        let next = isFirst ? joined(media, from: source, longest: longest) : media.shifted(by: shift)
        return slot.append(isFirst ? next : next.following(slot.end, longest: longest))
    }

    /// Goes on without media up to a point in UTC: what stands in for it must be decoded as what came before.
    private func appendGap(to utc: MediaTime, of slot: inout OpenSlot, _ filler: LossFiller) {
        let offset = slot.end.boundary.utc - slot.end.boundary.media
        let gap = CutSegment(
            number: slot.number,
            gapAfter: slot.end,
            to: Boundary(media: utc - offset, utcOffset: offset)
        )
        if !slot.hasGap, let filled = filler.fill(gap, of: self),
            let configuration = filled.configuration, slot.configuration?.continues(configuration) ?? true,
            slot.append(filled)
        {
            slot.flush()
        } else {
            slot.append(gap: gap)
        }
    }

    /// Completes a slot of which parts have been told.
    ///
    /// - Parameters:
    ///   - end: UTC where it ends, if its source does not say.
    ///   - isOver: Whether it ends there, whatever its sources have.
    ///   - now: UTC; nil where arrival says nothing.
    ///   - longest: How long a segment may last.
    ///   - filler: What stands in for media.
    /// - Returns: The segment with its source, and the parts that are new; nil while its source is waited for.
    mutating func complete(
        at end: MediaTime,
        isOver: Bool,
        now: MediaTime?,
        longest: MediaTime,
        filler: LossFiller
    ) -> (cut: CutSegment, source: Int?, parts: [CutSegment])? {
        guard var slot = open else { return nil }
        let told = slot.parts.count
        let whole = slot.source.flatMap { sources[$0].cut(for: slot.number) }
        let passed = sources.lazy.compactMap { $0.cut(for: slot.number) }.first
        guard whole != nil || isOver || slot.source == nil && passed != nil else { return nil }
        var isWhole = false
        if let source = slot.source, let whole, !whole.isGap {
            isWhole = whole.untold.map { append($0, to: &slot, source, longest) } ?? true
        }
        slot.flush()
        let utc = isWhole ? slot.toldEnd.utc : max(min(passed?.end.utc ?? end, slot.latestEnd), slot.toldEnd.utc)
        // A source that has no such track any more leaves a slot that is not over.
        if !isWhole, !isOver, let now, utc > now { return nil }
        if utc > slot.toldEnd.utc { appendGap(to: utc, of: &slot, filler) }
        guard let cut = slot.segment(of: isWhole ? whole : nil) else { return nil }
        for index in sources.indices { sources[index].forget(through: slot.number) }
        open = nil
        return (cut, cut.isGap || cut.filler != nil ? nil : slot.source, Array(slot.parts[told...]))
    }
}

extension CutSegment {
    /// A gap from where the segment before it ended.
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
    /// What it has for a slot's first part.
    fileprivate func offer(forPartsOf context: SegmenterTrack.PartContext) -> SourceSelector.Offer {
        let offer = offer(for: context.number, now: context.now)
        guard offer == .pending || offer == .stalled else { return offer }
        let (tellable, isSound): (MediaTime, Bool) =
            switch cutter {
            case .video(let cutter):
                cutter.slot == context.number && cutter.isWhole(context.number)
                    ? (cutter.tellable, cutter.isSound) : (.zero, false)
            case .audio(let cutter):
                (
                    min(newest ?? context.start, context.reached) - context.start,
                    cutter.isSound(from: context.start - utcOffset)
                )
            case .text: (.zero, false)
            }
        guard tellable >= context.longest || context.isDue(after: context.start), tellable > .zero else { return offer }
        return isSound && !isUnfit ? .whole : .partial(tellable)
    }

    fileprivate mutating func tell(_ context: SegmenterTrack.PartContext, isRest: Bool) -> CutSegment? {
        let offset = utcOffset
        if let media = withVideo({ $0.tell(context.number, utcOffset: offset, isRest: isRest) }) { return media }
        return withAudio {
            $0.tell(
                context.number,
                from: context.start - offset,
                reached: context.reached - offset,
                utcOffset: offset,
                isRest: isRest
            )
        } ?? nil
    }
}
