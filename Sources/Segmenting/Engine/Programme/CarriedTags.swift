import MediaCore

/// The tags that the segments of a rendition carry, or their parts: each is in one of them, and a late one is in the next.
struct CarriedTags: Sendable {
    /// The input that the newest segment or part is of; nil for none.
    private var input: InputID?
    /// The time, in UTC, since which that input's tags count; nil before the first segment or part.
    private var start: MediaTime?
    /// The end of the newest segment or part, in UTC.
    private var end = MediaTime.zero
    private var announced: Set<TimedTag> = []

    /// The most tags that are remembered; where more come, none is late.
    private static let most = 512

    /// Takes a segment or part that follows the newest one.
    ///
    /// - Parameters:
    ///   - cut: The segment or part.
    ///   - onAir: The input that fills it; nil for none.
    ///   - memory: The most that a tag may be late.
    /// - Returns: The time, in UTC, of the tags that may be in it.
    mutating func span(of cut: CutSegment, onAir: InputID?, memory: MediaTime) -> Range<MediaTime> {
        let span = cut.span
        // Tags of a time that was left out stay out.
        let isNext = (span.lowerBound - end).ticks < memory.ticks / 4
        if onAir != input || !isNext || announced.count > Self.most { start = nil }
        let first = max(min(start ?? span.lowerBound, span.lowerBound), span.lowerBound - memory)
        (input, start, end) = (onAir, first, span.upperBound)
        announced = announced.filter { $0.utc >= first }
        return first..<span.upperBound
    }

    /// Returns those of the tags that nothing carries yet.
    mutating func announce(_ tags: [TimedTag]) -> [TimedTag] { tags.filter { announced.insert($0).inserted } }
}
