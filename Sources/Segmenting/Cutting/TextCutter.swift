import MediaCore

/// Cuts one track of cues at the boundaries of the channel's leading track.
///
/// A segment has all cues that overlap its slot; one that spans an edge is in each of the segments that it overlaps. A
/// slot without a cue is an empty segment as long as the track's input continues, and otherwise a gap. The cues of a
/// slot are final as soon as its end is known, without waiting for later ones. If a cue overlaps a slot too briefly to
/// be read, it goes to the neighbouring slot only.
struct TextCutter: Sendable {
    /// Repairs since ``takeRepairs()`` was last called.
    private var repairs: [CutRepair] = []
    /// The cues that are not over, by their start.
    private(set) var cues: [Cue] = []
    /// The time up to which open cues were handed out.
    ///
    /// Each ended with its segment at the latest (RFC 8216bis § 3.1.4). In the next segment it begins at that time, or
    /// players would show it twice.
    private var emitted: [Cue: MediaTime] = [:]
    /// The progress at the newest cut: an input that has made none since is silent, and not only late.
    private var reachedAtCut: MediaTime?
    /// Open cues that were dropped when the input broke off.
    ///
    /// Their ends come once it continues, and close nothing.
    private var dropped: [Cue] = []
    private static let mostDropped = 64
    /// The time that the input may lack of a slot that is cut: its tracks do not come abreast.
    private static let tolerance = MediaTime(seconds: 1)
    /// The shortest piece of a cue at the edge of a slot: in milliseconds, a shorter one might be written as one, or as
    /// none.
    private static let shortestPart = MediaTime(milliseconds: 2)
    /// The most cues that are kept, since feeds come from strangers.
    static let mostCues = 10_000
    private(set) var configuration: CodecConfiguration
    /// The end of the newest segment, on the media timeline.
    private(set) var newestEnd: MediaTime?
    /// The progress of its input in UTC; nil if it is lost, or silent.
    private(set) var reached: MediaTime?
    /// The start of that progress in UTC, behind a loss; nil while it is lost.
    private var began: MediaTime? = .zero

    /// - Parameter format: The format of the track.
    init(_ format: TextFormat) {
        configuration = .text(format)
    }

    mutating func takeRepairs() -> [CutRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// The start of the newest cue, on the media timeline.
    var newest: MediaTime? { cues.last?.start }

    /// Takes a cue that has arrived, or an open one again whose end is known by now.
    ///
    /// - Parameters:
    ///   - sample: The cue, on the track's media timeline.
    ///   - configuration: The configuration that it is read with.
    mutating func received(_ sample: Sample, configuration: CodecConfiguration) {
        self.configuration = configuration
        let end = sample.cueDuration.map { sample.presentationTime + $0 }
        received(Cue(start: sample.presentationTime, end: end, payload: sample.payload))
    }

    /// Takes a cue that has arrived; a repetition counts once.
    mutating func received(_ cue: Cue) {
        if cues.contains(cue) { return }
        if dropped.contains(where: { $0.start == cue.start && $0.payload == cue.payload }) { return }
        let known = cues.firstIndex { $0.start == cue.start && $0.end == nil && $0.payload == cue.payload }
        if let known {
            let end = emitted.removeValue(forKey: cues[known])
            cues[known].end = cue.end
            if let end {
                emitted[cues[known]] = end
                discard(before: end)
            }
        } else if newestEnd.map(cue.isOver) ?? false {
            repairs.append(.lateSample)
        } else if cues.count >= Self.mostCues {
            repairs.append(.surplusCue)
        } else {
            let index = cues.firstIndex { $0.start > cue.start } ?? cues.endIndex
            cues.insert(cue, at: index)
        }
    }

    /// Notes that its input continues, whether there are cues or not.
    ///
    /// - Parameter utc: The progress of the input, in UTC.
    mutating func inputReached(_ utc: MediaTime) {
        began = began ?? utc
        reached = utc
    }

    /// Notes that its input broke off, or is silent: cues without a known end are dropped.
    mutating func inputLost() {
        (began, reached) = (nil, nil)
        dropped = (dropped + cues.filter { $0.end == nil }).suffix(Self.mostDropped)
        cues.removeAll { $0.end == nil }
        emitted = emitted.filter { $0.key.end != nil }
    }

    /// Forgets cues that are over at a time on the media timeline.
    mutating func discard(before time: MediaTime) {
        cues.removeAll { $0.isOver(at: time) }
        if !emitted.isEmpty { emitted = emitted.filter { !$0.key.isOver(at: time) } }
    }

    /// Cuts a slot's segment.
    ///
    /// - Parameters:
    ///   - slot: The boundaries of the slot.
    ///   - utcOffset: UTC minus media time.
    /// - Returns: The segment, or a gap.
    mutating func cut(_ slot: SlotBoundaries, utcOffset: MediaTime) -> CutSegment {
        let start = Boundary(media: slot.start - utcOffset, utcOffset: utcOffset)
        let end = Boundary(media: slot.end - utcOffset, utcOffset: utcOffset)
        let isAlive = reached.map { $0 >= slot.start } ?? false
        var cut = CutSegment(
            number: slot.number,
            start: start,
            end: end,
            timescale: MediaTime.timescale,
            decodeTime: start.media.ticks,
            duration: max((end.media - start.media).ticks, 1),
            samples: [],
            configuration: isAlive ? configuration : nil
        )
        if isAlive {
            let shown = cues.filter { $0.overlaps(start.media, end.media) && !isSliver($0, start.media, end.media) }
            cut.cues = shown.map { cue in
                var rest = cue
                if let begin = emitted[cue] { rest.start = max(cue.start, begin) }
                return rest
            }
            for cue in shown where cue.end == nil { emitted[cue] = end.media }
            // Players get all of it, but another source may have had the cues of all of the slot.
            cut.isWhole = true
            cut.coverage = max(min(reached ?? slot.end, slot.end) - max(began ?? .zero, slot.start), .zero)
            cut.lacksInput = cut.coverage + Self.tolerance < slot.end - slot.start
        } else if reached == reachedAtCut {
            inputLost()
        }
        reachedAtCut = reached
        newestEnd = end.media
        discard(before: end.media)
        return cut
    }

    /// Returns true if a slot has next to nothing of a cue, and that at an edge.
    private func isSliver(_ cue: Cue, _ start: MediaTime, _ end: MediaTime) -> Bool {
        let first = max(cue.start, emitted[cue] ?? cue.start, start)
        let last = min(cue.end ?? end, end)
        return (first == start || last == end) && last - first < Self.shortestPart
    }
}
