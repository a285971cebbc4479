import MediaCore
import Operations
import Playlists
import Presentation

/// Looks for a programme in the date ranges of slots as they come.
struct ProgrammeSearch: Sendable {
    private let choice: ProgrammeChoice
    /// The time at which it was asked for, in UTC.
    private let posted: MediaTime
    private let slot: MediaTime
    private var tags: [DateRange] = []
    /// True if some of the tags have not been looked at.
    private var hasNews = false
    /// The first slot that was not looked at yet.
    private var next: MediaSequenceNumber
    /// The programme; nil while nothing in the stream names it.
    ///
    /// Once it is known which one is meant, it remains that one.
    private(set) var found: Programme?
    /// The end of the programme; nil if it is not known.
    private(set) var end: MediaTime?
    /// The number of times that the next slots could not be read.
    private var failures = 0

    /// The number of times that slots are read before they count as damaged.
    static let mostFailures = 30
    /// Slots that are looked at in one go.
    private static let step: Int64 = 256
    /// The time after the request in which the slots come that had begun by then.
    private static let patience = MediaTime(seconds: 60)
    /// Far more than a day has; beyond it the oldest are forgotten.
    private static let mostTags = 10_000

    /// - Parameters:
    ///   - choice: The programme.
    ///   - posted: The time at which it was asked for, in UTC.
    ///   - start: The time to look from, in UTC.
    ///   - slot: The duration of a slot.
    init(_ choice: ProgrammeChoice, posted: MediaTime, from start: MediaTime, slot: MediaTime) {
        (self.choice, self.posted, self.slot) = (choice, posted, slot)
        next = MediaSequenceNumber(start.ticks / max(1, slot.ticks))
    }

    /// Looks at the slots that have come.
    ///
    /// Slots that cannot be read are read again by the next calls, and after some of these skipped. Nothing is known
    /// before all have been looked at: later ones may tell of a newer programme, or of another end than was planned.
    ///
    /// - Parameters:
    ///   - extent: The recorded slots.
    ///   - now: UTC.
    ///   - read: Reads the slots of a range.
    mutating func look(
        through extent: Range<MediaSequenceNumber>,
        now: MediaTime,
        _ read: (Range<MediaSequenceNumber>) throws -> [ListedSlot]
    ) {
        guard end == nil else { return }
        while let numbers = next(of: extent) {
            guard let slots = try? read(numbers) else {
                failures += 1
                if failures >= Self.mostFailures { take([], of: numbers) }
                return
            }
            take(slots, of: numbers)
        }
        let recorded = slot * extent.upperBound.value
        // A programme that had just begun may not be recorded yet.
        guard recorded >= posted || now >= posted + Self.patience else { return }
        if hasNews {
            let choice = found.map { ProgrammeChoice.dateRange(id: $0.id) } ?? self.choice
            found = ProgrammeTimes(tags).programme(choice, at: posted)
            hasNews = false
        }
        end = found?.end(recordedUntil: recorded)
    }

    /// Returns the next slots to look at; nil if there are none.
    private func next(of extent: Range<MediaSequenceNumber>) -> Range<MediaSequenceNumber>? {
        let start = max(next, extent.lowerBound)
        guard start < extent.upperBound else { return nil }
        return start..<min(start.advanced(by: Self.step), extent.upperBound)
    }

    /// Looks at slots.
    ///
    /// - Parameters:
    ///   - slots: The slots that were recorded.
    ///   - numbers: The requested numbers.
    private mutating func take(_ slots: [ListedSlot], of numbers: Range<MediaSequenceNumber>) {
        (next, failures) = (max(next, numbers.upperBound), 0)
        let new = slots.flatMap(\.dateRanges.all)
        guard !new.isEmpty else { return }
        (tags, hasNews) = ((tags + new).suffix(Self.mostTags), true)
    }
}
