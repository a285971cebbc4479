package import MediaCore

/// A span of slots that had missing media.
package struct HealedSpan: Hashable, Sendable {
    /// The numbers from the first slot to the last; slots in between may have been complete.
    package var numbers: Range<MediaSequenceNumber>
    /// The number of affected slots in the span.
    package var count: Int
    /// The total duration of the affected slots.
    package var duration: MediaTime

    /// The most spans in which a block is reported.
    private static let most = 4

    /// Returns a span for each run of slots, the newest first, or one for all if there are many runs.
    static func spans(of numbers: [MediaSequenceNumber], segmentDuration: MediaTime) -> [HealedSpan] {
        var runs = RangeSet<MediaSequenceNumber>()
        for number in numbers { runs.insert(contentsOf: number..<number.next) }
        guard let first = runs.ranges.first, let last = runs.ranges.last else { return [] }
        func span(_ numbers: Range<MediaSequenceNumber>, _ count: Int) -> HealedSpan {
            HealedSpan(numbers: numbers, count: count, duration: segmentDuration * Int64(count))
        }
        if runs.ranges.count > most { return [span(first.lowerBound..<last.upperBound, numbers.count)] }
        return runs.ranges.reversed().map { span($0, $0.count) }
    }
}

extension HealedSpan: CustomStringConvertible {
    package var description: String {
        let (first, last) = (numbers.lowerBound, numbers.upperBound.previous)
        let slots = first == last ? "slot \(first)" : "slots \(first) to \(last)"
        return count == numbers.count ? "\(slots) (\(duration))" : "\(count) of \(slots) (\(duration))"
    }
}

/// An event of a recording that takes missing slots from the other member of a pair.
package enum HealingEvent: Hashable, Sendable {
    case filled(HealedSpan)
    /// Some media of the slots stays missing.
    case unfilled(HealedSpan, reason: String)
    /// The peer cannot be asked for now.
    case interrupted(missing: Int, reason: String)
    case resumed

    /// Describes it in a sentence.
    ///
    /// - Parameter peer: The URL of the other member.
    /// - Returns: The sentence.
    package func message(from peer: String) -> String {
        switch self {
        case .filled(let span): "the recording lacked \(span), and has copied them from \(peer)"
        case .unfilled(let span, let reason):
            "the recording still lacks \(span), or some of it, and \(peer) cannot help: \(reason)"
        case .interrupted(let missing, let reason):
            "the recording lacks \(missing) slots, and cannot copy them from \(peer) at the moment: \(reason)"
        case .resumed: "missing slots can be copied from \(peer) again"
        }
    }
}

/// The state of healing.
package struct HealingStatus: Hashable, Sendable {
    /// Slots that were filled in, in whole or in part, since the start.
    package var filled = 0
    /// Slots that are known to be incomplete now.
    package var missing = 0
    /// Answers of the peer, and segments of it, that were refused since the start.
    package var refused = 0
    /// The reason why healing waits, in one phrase; nil if there is no problem.
    package var problem: String?

    package init(filled: Int = 0, missing: Int = 0, refused: Int = 0, problem: String? = nil) {
        (self.filled, self.missing, self.refused, self.problem) = (filled, missing, refused, problem)
    }
}
