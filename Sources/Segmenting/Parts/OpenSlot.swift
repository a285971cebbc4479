import ISOBMFF
import MediaCore

/// The final parts of a track's slot while the slot is being filled, end to end on the track's media timeline.
struct OpenSlot: Sendable {
    let number: MediaSequenceNumber
    /// The source that fills it since its first part; nil if none had it in time, or it has died since.
    var source: SourceRank?
    /// The source that its media is of; nil if it began without one.
    let sourceOfMedia: SourceRank?
    private(set) var parts: [CutSegment] = []
    /// Media that may not be enough for a part yet.
    private var rest: CutSegment?
    /// The length of that media, none of which is a part yet.
    private var restLength: PartLength?
    /// The fillers that it ends with; nil if it has none.
    private(set) var fillers: FillerRun?
    /// The end of parts and rest.
    private(set) var end: SegmentEnd
    private let begin: SegmentEnd
    /// The longest duration of a part.
    let longest: MediaTime
    private let longestSegment: MediaTime

    /// - Parameters:
    ///   - number: The slot.
    ///   - end: The end of the slot before it.
    ///   - source: The source that fills it.
    ///   - longest: The longest duration of a part.
    ///   - longestSegment: The longest duration of all parts together.
    init(
        _ number: MediaSequenceNumber,
        after end: SegmentEnd,
        source: SourceRank?,
        longest: MediaTime,
        longestSegment: MediaTime
    ) {
        self.number = number
        (self.source, sourceOfMedia) = (source, source)
        self.end = end
        self.longest = longest
        self.longestSegment = longestSegment
        begin = end
    }

    private var start: Boundary { begin.boundary }
    /// The number of its samples.
    var sampleCount: Int { parts.reduce(rest?.samples.count ?? 0) { $0 + $1.samples.count } }

    /// The end of its parts.
    var partsEnd: Boundary { parts.last?.end ?? start }
    /// The latest time at which it may end, in UTC: sources that are not cut alike may begin it early and end it late
    /// (RFC 8216bis § 4.4.3.1).
    ///
    /// If UTC was slewed during the slot, its media reaches this end sooner.
    var latestEnd: MediaTime {
        min(start.utc, end.boundary.utc - (end.boundary.media - start.media)) + longestSegment
    }
    /// The time that the part under way may still last.
    var room: MediaTime { partsEnd.media + longest - end.boundary.media }
    /// True if the part under way is too short for other media to follow it (RFC 8216bis § 4.4.4.9).
    var hasShortRest: Bool {
        guard let rest, let restLength else { return false }
        return !restLength.isEnough && !rest.hasEntry
    }
    /// True if its newest part is too short for other media to follow it: a gap may, or the next slot.
    var endsShort: Bool {
        guard rest == nil, let last = parts.last, !last.isGap, !last.hasEntry else { return false }
        return !last.length(ofPartsAtMost: longest).isEnough
    }
    var hasGap: Bool { parts.contains(where: \.isGap) }
    /// The decoder configuration of its media.
    var configuration: CodecConfiguration? { parts.lazy.compactMap(\.configuration).first ?? rest?.configuration }

    /// Continues with media that begins at its end.
    ///
    /// A sample longer than the longest part leaves a hole; from there on the slot is a gap.
    ///
    /// - Returns: True if there was no hole.
    mutating func append(_ media: CutSegment) -> Bool {
        var media = media.ending(by: start.media + longestSegment)
        if parts.isEmpty, rest == nil { media = media.repeatingFirst(atMost: longest) }
        if media.filler != nil {
            fillers = fillers ?? FillerRun(start: media.start.utc, sampleCount: 0)
            fillers?.sampleCount += media.samples.count
        }
        let most = longest.value(timescale: media.timescale)
        guard let hole = media.samples.firstIndex(where: { Int64($0.duration) > most }) else {
            add(media)
            return true
        }
        if hole > 0 {
            add(media.slice(0..<hole))
        }
        source = nil
        return false
    }

    /// Returns its start on the track's media timeline.
    func startUnits(in timescale: Int64) -> Int64 {
        MediaTime.rescale(begin.units, from: begin.timescale, to: timescale)
    }

    /// Returns the slot without its media and its source.
    func emptied() -> OpenSlot {
        OpenSlot(number, after: begin, source: nil, longest: longest, longestSegment: longestSegment)
    }

    /// Appends a part that was handed out before; it begins where the slot ends.
    mutating func append(emitted part: CutSegment) {
        parts.append(part)
        end = SegmentEnd(of: part)
    }

    /// Makes the last part, since nothing follows that it could wait for.
    mutating func flush() {
        if let rest { parts.append(rest) }
        (rest, restLength) = (nil, nil)
    }

    /// Continues without media.
    ///
    /// - Parameter gap: A gap that begins where it ends.
    mutating func append(gap: CutSegment) {
        flush()
        parts += gap.gapParts(atMost: longest)
        end = SegmentEnd(of: gap)
    }

    /// Returns a gap from its end to a point in UTC.
    func gap(until utc: MediaTime) -> CutSegment {
        let offset = end.boundary.utc - end.boundary.media
        return CutSegment(number: number, gapAfter: end, to: Boundary(media: utc - offset, utcOffset: offset))
    }

    /// Adds media to the rest, and makes a part whenever the rest is long enough.
    ///
    /// This runs for every sample, so earlier samples are neither copied nor measured again.
    private mutating func add(_ media: CutSegment) {
        end = SegmentEnd(of: media)
        var length = restLength ?? PartLength(atMost: longest, timescale: (rest ?? media).timescale)
        var isDivided = false
        for sample in media.samples {
            isDivided = isDivided || length.ends(before: sample)
            length.append(sample)
        }
        restLength = length
        if rest == nil { rest = media } else { rest?.append(media) }
        if isDivided { divide() } else if length.isFull { flush() }
    }

    private mutating func divide() {
        guard let rest else { return }
        var pieces = rest.parts(atMost: longest)
        self.rest = pieces.popLast()
        parts += pieces
        restLength = self.rest?.length(ofPartsAtMost: longest)
        if restLength?.isFull == true { flush() }
    }

    /// Returns the segment of its parts: a gap where one of them is.
    ///
    /// - Parameter whole: The source's segment for the slot, for the values that are known only of the whole.
    /// - Returns: The segment; nil if no part was handed out.
    func segment(of whole: CutSegment?) -> CutSegment? {
        guard var segment = parts.first, let last = parts.last else { return nil }
        segment.end = last.end
        segment.reorderingAtEnd = last.reorderingAtEnd
        segment.skippedLeading = []
        segment.partCount = parts.count
        if hasGap {
            (segment.samples, segment.filler) = ([], nil)
            (segment.isWhole, segment.coverage) = (false, .zero)
            // Players have begun to decode it.
            segment.configuration = configuration
            let finish = MediaTime.rescale(end.units, from: end.timescale, to: segment.timescale)
            segment.duration = max(finish - segment.decodeTime, 1)
        } else {
            segment.samples = parts.flatMap(\.samples)
            segment.duration = parts.reduce(0) { $0 + $1.duration }
            segment.coverage = parts.reduce(.zero) { $0 + $1.coverage }
            segment.filler = parts.allSatisfy { $0.filler != nil } ? segment.filler : nil
            segment.isWhole = whole?.isWhole ?? false
        }
        return segment
    }
}
