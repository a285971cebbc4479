import MediaCore
import Operations
import Playlists
import Presentation

/// Looks for a programme in the date ranges of slots as they come.
struct ProgrammeSearch: Sendable {
    private let choice: ProgrammeChoice
    private var tags: [DateRange] = []
    /// The first slot that was not looked at yet.
    private var next: MediaSequenceNumber
    /// The programme; nil while nothing in the stream names it.
    private(set) var found: (start: MediaTime, end: MediaTime?)?
    /// The number of times that the next slots could not be read.
    private var failures = 0

    /// The number of times that slots are read before they count as damaged.
    static let mostFailures = 30
    /// Slots that are looked at in one go.
    private static let step: Int64 = 256
    /// Far more than a day has; beyond it the oldest are forgotten.
    private static let mostTags = 10_000

    /// - Parameters:
    ///   - choice: The programme.
    ///   - start: The time to look from, in UTC.
    ///   - slot: The duration of a slot.
    init(_ choice: ProgrammeChoice, from start: MediaTime, slot: MediaTime) {
        self.choice = choice
        next = MediaSequenceNumber(start.ticks / max(1, slot.ticks))
    }

    /// The end of the programme; nil if it is not known.
    var end: MediaTime? { found?.end }

    /// Looks at the slots that have come.
    ///
    /// Slots that cannot be read are read again by the next calls, and after some of these skipped.
    ///
    /// - Parameters:
    ///   - extent: The recorded slots.
    ///   - read: Reads the slots of a range.
    mutating func look(
        through extent: Range<MediaSequenceNumber>,
        _ read: (Range<MediaSequenceNumber>) throws -> [ListedSlot]
    ) {
        while let numbers = next(of: extent) {
            guard let slots = try? read(numbers) else {
                failures += 1
                if failures >= Self.mostFailures { take([], of: numbers) }
                return
            }
            take(slots, of: numbers)
        }
    }

    /// Returns the slots to look at; nil if there are none, or all is known.
    private func next(of extent: Range<MediaSequenceNumber>) -> Range<MediaSequenceNumber>? {
        let start = max(next, extent.lowerBound)
        guard end == nil, start < extent.upperBound else { return nil }
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
        tags = (tags + new).suffix(Self.mostTags)
        found = ProgrammeTimes(tags).programme(choice)
    }
}
