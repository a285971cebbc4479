import Codecs
import ISOBMFF
import MediaCore
import Timeline

/// One track of a channel: its sources in order of preference, and the state of its publication.
struct SegmenterTrack: Sendable {
    let kind: MediaKind
    var sources: [TrackSource]
    var selector: SourceSelector
    /// The decoder configuration of its newest segment with media; nil while it has had none, and is not published.
    var configuration: CodecConfiguration?
    /// The same, without fillers.
    private(set) var mediaConfiguration: CodecConfiguration?
    /// The media's value in CODECS; nil before any media.
    var codec: String? { mediaConfiguration?.rfc6381 ?? resumedCodec }
    /// The value in CODECS of an earlier run.
    private var resumedCodec: String?
    /// The end of its newest segment.
    var end: SegmentEnd?
    /// The slot after it, where parts of it are final.
    var open: OpenSlot?
    /// The parts that viewers have from an earlier run of slots that are still to be filled, oldest slot first.
    var inherited: [PublishedWindow.OpenSlotParts] = []
    /// The slot of the newest parts that were handed out, with their number.
    var emitted = (number: MediaSequenceNumber(0), count: 0)
    /// The decoder configuration of its newest segment that is not a gap.
    private(set) var newestConfiguration: CodecConfiguration?
    /// True if an earlier run has published it.
    private(set) var isResumed = false
    /// The number of slots that it had some media for before it was published.
    private var partialSlots = 0
    /// The newest sync sample on air, to be held if no media follows.
    private(set) var lastSync: FragmentSample?
    /// Media time of the track minus media time of the source on air.
    private(set) var shift = MediaTime.zero
    /// The end of its newest media on air, on the track's media timeline.
    private var mediaEnd: MediaTime?
    /// The source of the newest segment with media.
    private(set) var newestSource: SourceRank?

    init(_ kind: MediaKind, sourceCount: Int, _ plan: BoundaryPlan, _ horizon: CommitHorizon, failback: MediaTime) {
        self.kind = kind
        sources = (0..<sourceCount).map { _ in TrackSource(kind, plan, horizon) }
        selector = SourceSelector(failback: failback, slotDuration: plan.grid.slotDuration)
    }

    var hasSamples: Bool { sources.contains(where: \.hasSamples) }

    /// Returns true if another source than one has brought anything.
    func hasSamples(besides source: SourceRank) -> Bool {
        sources.ranks.contains { $0 != source && sources[$0].hasSamples }
    }
    /// True if viewers have nothing of it at the moment.
    var endsInGap: Bool { end?.isGap == true }
    /// True if no source has it.
    var isWithdrawn: Bool {
        // This runs for every packet, and a closure would get a copy of each source.
        for index in sources.ranks where !sources[index].isWithdrawn { return false }
        return true
    }
    /// True if viewers have it.
    var isPublished: Bool { configuration != nil || isResumed }
    var hasSync: Bool { sources.contains(where: \.hasSync) }
    /// The source on air.
    private var active: SourceRank { min(selector.active, SourceRank(sources.count - 1)) }
    /// UTC minus media time of the media on air.
    var utcOffset: MediaTime {
        if let end { return end.boundary.utc - end.boundary.media }
        return sources[active].utcOffset
    }

    /// Decides if a track without any media so far may have some for a slot: a source that has fallen silent will not.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - now: The time now, in UTC; nil if arrival says nothing.
    /// - Returns: True if it is worth waiting for.
    func isJoining(at number: MediaSequenceNumber, now: MediaTime?) -> Bool {
        sources.contains { source in
            switch source.offer(for: number, now: now) {
            case .whole, .partial, .pending: true
            case .stalled, .nothing: false
            }
        }
    }

    /// Returns true if it has media for later slots, and nothing will come for this one.
    func isPast(_ number: MediaSequenceNumber) -> Bool {
        sources.contains { $0.firstCut.map { $0 > number } ?? false }
            && sources.allSatisfy { $0.offer(for: number, now: nil) == .nothing }
    }

    /// Returns true if viewers get it from this segment on: always once it is published, before that from the first
    /// whole segment on, or from the last that is waited for.
    mutating func joins(with cut: CutSegment, patience: Int) -> Bool {
        if isPublished || cut.isWhole || partialSlots == patience { return true }
        partialSlots += 1
        return false
    }

    /// Takes a segment that a source has cut, which may be too late for anything but its record.
    mutating func store(_ cut: CutSegment, from source: SourceRank) {
        let offer = sources[source].isUnfit && cut.isWhole ? .partial(cut.coverage) : cut.offer
        selector.observe(offer, of: source, for: cut.number)
        sources[source].store(cut)
    }

    /// Begins anew, with nothing published.
    mutating func reset(source: SourceRank, _ plan: BoundaryPlan, _ horizon: CommitHorizon) {
        sources[source].reset(plan, horizon)
        forgetEnd()
    }

    /// Forgets the segments that were chosen, since none of them was published.
    mutating func forgetEnd() {
        (end, open, mediaEnd) = (nil, nil, nil)
        newestSource = nil
        shift = .zero
    }

    /// Chooses the segment that fills a slot, which is then to be joined to the one before.
    ///
    /// - Parameters:
    ///   - number: The slot after the newest one that was filled.
    ///   - now: The time now, in UTC; nil if arrival says nothing.
    ///   - isForced: True if nothing is waited for any more.
    /// - Returns: The segment with its source, or the gap that a source has made; nil while it is too early to decide,
    ///   or if no source has made a gap.
    mutating func choose(
        _ number: MediaSequenceNumber,
        now: MediaTime?,
        isForced: Bool
    ) -> (cut: CutSegment, source: SourceRank)? {
        guard sources.ranks.contains(where: { sources[$0].cuts.index(forKey: number) != nil }) else { return nil }
        var offers = sources.map { $0.offer(for: number, now: now) }
        if isForced {
            for index in offers.indices where offers[index] == .pending || offers[index] == .stalled {
                offers[index] = .nothing
            }
        }
        let source: SourceRank
        switch selector.choose(from: offers, for: number) {
        case .wait: return nil
        case .source(let choice): source = choice
        case .none:
            let candidates = [active] + sources.ranks
            guard let gap = candidates.first(where: { sources[$0].cut(for: number) != nil }) else { return nil }
            source = gap
        }
        guard let cut = sources[source].cut(for: number) else { return nil }
        for index in sources.ranks { sources[index].forget(through: number) }
        return (cut, source)
    }

    /// The track on the timeline of viewers; nil if they have no media of it.
    var onViewersTimeline: ViewersTimeline.Track? {
        guard let end, let newestSource else { return nil }
        return ViewersTimeline.Track(source: newestSource, shift: shift, end: end.boundary)
    }

    /// Joins a segment to the one before, on the timeline of viewers.
    ///
    /// - Parameters:
    ///   - cut: The first segment of a slot, or the first part.
    ///   - source: Its source.
    ///   - timeline: The timeline, for a track that is new.
    ///   - longest: The longest duration of a segment.
    /// - Returns: The segment as viewers get it.
    mutating func joined(
        _ cut: CutSegment,
        from source: SourceRank,
        on timeline: ViewersTimeline = ViewersTimeline(),
        longest: MediaTime
    ) -> CutSegment {
        guard var end else {
            newestSource = cut.isGap ? nil : source
            shift = timeline.shift(of: source, from: cut.start) ?? .zero
            return cut.shifted(by: shift)
        }
        // Pictures around a switch refer to those of another encoder, or to some that were not shown.
        let isCutOff = end.isGap || newestSource.map { $0 != source } ?? false
        let cut = isCutOff ? cut.withoutSkippedLeading().withBrokenLink() : cut
        var shift = shift
        if source != newestSource {
            shift = (cut.start.utc - cut.start.media) - (end.boundary.utc - end.boundary.media)
            // A feed that is read once more begins where it was cut before, but UTC may have been slewed since.
            if isResumed, newestSource == nil, !end.isGap, !cut.isGap,
                abs((cut.start.utc - end.boundary.utc).ticks) <= ViewersTimeline.mostSlewing.ticks
            {
                shift = end.boundary.media - cut.start.media
            }
            // The next media of the source on air continues with this shift.
            if !cut.isGap { (self.shift, newestSource) = (shift, source) }
        }
        let shifted = cut.shifted(by: shift)
        if !cut.isGap { end.moveGap(to: shifted.start.utc - shifted.start.media, after: mediaEnd) }
        return shifted.following(end, longest: longest)
    }

    /// Notes that a segment fills a slot, or that the track goes without.
    mutating func advance(past cut: CutSegment?) {
        guard let cut else {
            end = nil
            return
        }
        end = SegmentEnd(of: cut)
        if !inherited.isEmpty { inherited.removeAll { $0.number <= cut.number } }
        newestConfiguration = cut.configuration ?? newestConfiguration
        if !cut.isGap { mediaEnd = cut.end.media }
        guard cut.filler == nil, cut.samples.contains(where: \.isSync) else { return }
        mediaConfiguration = cut.configuration
        noteSync(of: cut)
    }

    /// Notes the newest key frame that viewers have of the present decoder configuration.
    mutating func noteSync(of cut: CutSegment) {
        guard kind == .video, cut.filler == nil, cut.samples.contains(where: \.isSync),
            cut.configuration == mediaConfiguration
        else { return }
        // A picture that begins a gradual refresh is none by itself, and an older one is not what viewers have seen last.
        lastSync = cut.samples.dropFirst(cut.recoversGradually ? 1 : 0).last(where: \.isSync)
    }

    /// Continues at the end of an earlier run.
    mutating func resume(at end: SegmentEnd, codec: String?) {
        self.end = end
        resumedCodec = codec
        isResumed = true
    }

    /// Continues with a track of an earlier run, wherever that ended.
    mutating func resume() { isResumed = true }

    /// Makes its sources begin a slot at the end of an earlier run.
    mutating func awaitRepetition(of number: MediaSequenceNumber) {
        guard let end else { return }
        for source in sources.ranks { sources[source].awaitRepetition(of: number, from: end.boundary.utc) }
    }

    /// Forgets that it was published: it is left out until it has media.
    mutating func lapse() {
        (configuration, mediaConfiguration, resumedCodec) = (nil, nil, nil)
        (end, open, mediaEnd, lastSync, newestSource) = (nil, nil, nil, nil, nil)
        (shift, partialSlots, isResumed) = (.zero, 0, false)
    }
}
