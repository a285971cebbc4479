import ISOBMFF
import MediaCore

/// What of a track's slot is final while the slot is being filled: parts, end to end on the track's media timeline.
struct OpenSlot: Sendable {
    let number: MediaSequenceNumber
    /// The source that fills it since its first part; nil where none had that in time, or it has died since.
    var source: Int?
    private(set) var parts: [CutSegment] = []
    /// Media that may not be enough for a part yet.
    private var rest: CutSegment?
    /// Where parts and rest end.
    private(set) var end: SegmentEnd
    private let start: Boundary
    private let longest: MediaTime
    private let longestSegment: MediaTime

    /// - Parameters:
    ///   - number: The slot.
    ///   - end: Where the one before it ended.
    ///   - source: What fills it.
    ///   - longest: How long a part may last.
    ///   - longestSegment: How long all of them may.
    init(
        _ number: MediaSequenceNumber,
        after end: SegmentEnd,
        source: Int?,
        longest: MediaTime,
        longestSegment: MediaTime
    ) {
        self.number = number
        self.source = source
        self.end = end
        self.longest = longest
        self.longestSegment = longestSegment
        start = end.boundary
    }

    /// Where its parts end.
    var toldEnd: Boundary { parts.last?.end ?? start }
    /// The latest that it may end, in UTC: sources that are not cut alike may begin it early and end it late
    /// (RFC 8216bis § 4.4.3.1).
    var latestEnd: MediaTime { start.utc + longestSegment }
    var hasGap: Bool { parts.contains(where: \.isGap) }
    /// What its media is decoded with.
    var configuration: CodecConfiguration? { parts.lazy.compactMap(\.configuration).first ?? rest?.configuration }

    /// Goes on with media that begins where it ends.
    ///
    /// A sample that lasts longer than a part may leaves a hole; from there on it is a gap.
    ///
    /// - Returns: Whether there was none.
    mutating func append(_ media: CutSegment) -> Bool {
        let media = media.ending(by: start.media + longestSegment)
        let most = longest.value(timescale: media.timescale)
        guard let hole = media.samples.firstIndex(where: { Int64($0.duration) > most }) else {
            rest = rest?.appending(media) ?? media
            end = SegmentEnd(of: media)
            fill()
            return true
        }
        if hole > 0 {
            let before = media.slice(0..<hole)
            rest = rest?.appending(before) ?? before
            end = SegmentEnd(of: before)
            fill()
        }
        source = nil
        return false
    }

    /// Nothing follows that a part could wait for.
    mutating func flush() {
        if let rest { parts.append(rest) }
        rest = nil
    }

    /// Goes on without media.
    ///
    /// - Parameter gap: Begins where it ends.
    mutating func append(gap: CutSegment) {
        flush()
        parts += gap.gapParts(atMost: longest)
        end = SegmentEnd(of: gap)
    }

    /// Makes parts of what lasts as long as one may.
    private mutating func fill() {
        guard let rest else { return }
        var pieces = rest.parts(atMost: longest)
        self.rest = pieces.popLast()
        parts += pieces
        if let last = self.rest, let sample = last.samples.last,
            last.duration + Int64(sample.duration) > longest.value(timescale: last.timescale)
        {
            flush()
        }
    }

    /// The segment that its parts are: a gap where one of them is.
    ///
    /// - Parameter whole: What the source has for the slot: what is known of it only as a whole.
    /// - Returns: The segment; nil where nothing has been told.
    func segment(of whole: CutSegment?) -> CutSegment? {
        guard var segment = parts.first, let last = parts.last else { return nil }
        segment.end = last.end
        segment.reorderingAtEnd = last.reorderingAtEnd
        segment.skippedLeading = []
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
