package import MediaCore
package import NIOCore
package import Presentation

/// Decides which slots to take next from the other member of a pair for the holes of a recording.
///
/// The plan does no I/O and has no clock.
///
/// The newest hole comes first, because viewers go back to the last minutes far more often than to last week. There is
/// one step at a time, and answers of the peer may be wrong.
package struct HealingPlan: Sendable {
    /// The next step, whose outcome must be reported before the next one is requested.
    package enum Step: Hashable, Sendable {
        /// Wait for this time.
        case wait(MediaTime)
        /// The holes of some slots are to be listed (``found(_:in:)``).
        case examine(Range<MediaSequenceNumber>)
        /// The peer is to be asked for slots (``answered(_:of:at:)``); for none, to learn what it has.
        case ask(Range<MediaSequenceNumber>)
        /// A file is to be fetched (``received(_:)``, ``refused(_:)``).
        case fetch(HealedFile)
        /// A slot is to be inserted (``inserted(_:at:)``).
        case insert(ListedSlot, bodies: [String: ByteBuffer], declaration: Declaration?)
    }

    let segmentDuration: MediaTime
    let limits: HealingLimits

    /// The examined slots: their holes are known.
    var examined = RangeSet<MediaSequenceNumber>()
    /// Slots with gaps that live viewers may have.
    var deferred = RangeSet<MediaSequenceNumber>()
    /// Slots that could not be examined, because the disk could not be read.
    var unread = RangeSet<MediaSequenceNumber>()
    /// Slots that are incomplete at the peer as well.
    var lacking = RangeSet<MediaSequenceNumber>()
    /// The current holes, all of one block, oldest first.
    var holes: [RecordedHole] = []
    /// The holes that the peer can fill, with its lines, oldest first.
    var ready: [(hole: RecordedHole, slot: ListedSlot)] = []
    /// The declaration of the peer's last answer.
    var declaration: Declaration?
    /// The slot whose files are fetched; nil if there is none.
    var job: SlotHealing?
    /// The slots from the oldest to the newest that the peer had when it answered last.
    var peerExtent: Range<MediaSequenceNumber>?
    /// The slots that could be filled at the last look.
    var reach: HealingReach?

    /// The time until which nothing is done.
    var resumes = MediaTime.zero
    /// The times of the next looks at a block, and at the newest slots.
    private var nextLook = MediaTime.zero
    private var nextGlance = MediaTime.zero
    /// The time of the next look at slots that could not be read.
    private var nextRetry = MediaTime.zero
    /// The time of the next report about filled and lost holes.
    private var nextReport = MediaTime.zero
    /// The time at which the peer is asked for its extent.
    var nextPoll = MediaTime.zero
    /// The time until which a change of the peer's recording is ignored.
    var nextNews = MediaTime.zero
    /// Failures in a row.
    var failures = 0
    /// The slot that failed last, and its failures; nil once it is done.
    ///
    /// Until then nothing else counts as a success.
    var trouble: (number: MediaSequenceNumber, count: Int)?

    /// Slots that were filled in and not reported yet.
    var filled: [MediaSequenceNumber] = []
    /// Slots that were skipped and not reported yet, and the reason of one.
    var unfilled: (numbers: [MediaSequenceNumber], reason: String) = ([], "")
    var events: [HealingEvent] = []
    var counts = HealingStatus()

    /// The bytes that are reserved for an answer.
    package static let answerByteCount = 1 << 17
    /// The bytes that are reserved for an initialization section.
    package static let initializationByteCount = 1 << 12
    private static let tick = MediaTime(ticks: 1)

    /// - Parameters:
    ///   - segmentDuration: The length of a slot.
    ///   - limits: The times, sizes and counts.
    package init(segmentDuration: MediaTime, limits: HealingLimits = HealingLimits()) {
        (self.segmentDuration, self.limits) = (segmentDuration, limits)
    }

    /// The state of healing.
    package var status: HealingStatus {
        var status = counts
        status.missing = holes.count + ready.count + (job == nil ? 0 : 1) + deferred.count + lacking.count
        return status
    }

    /// Returns the events since the last call.
    package mutating func takeEvents() -> [HealingEvent] {
        defer { events = [] }
        return events
    }

    /// Decides on the next step.
    ///
    /// - Parameters:
    ///   - reach: The slots in which holes may be filled, as of now.
    ///   - now: The time on a clock that is never set.
    ///   - reserve: Takes bytes from a budget; returns nil if they may be fetched now, else the time at which to ask
    ///     again.
    /// - Returns: The next step.
    package mutating func next(
        _ reach: HealingReach,
        at now: MediaTime,
        reserve: (Int) -> MediaTime?
    ) -> Step {
        if now < resumes { return .wait(resumes - now) }
        forget(before: reach.numbers.lowerBound)
        if let step = stepOfSlot(at: now, reserve) { return step }
        if let newest = holes.last {
            if let free = reserve(Self.answerByteCount) { return .wait(max(free - now, Self.tick)) }
            return .ask(stretch(upTo: newest.number))
        }
        report(at: now)
        // Until then the gaps in live playlists are not known.
        guard let served = reach.served else { return .wait(limits.interval) }
        reopen(before: served, at: now)
        if now >= nextLook, let block = unexamined(in: reach.numbers, sparesNewest: now < nextGlance) {
            nextLook = now + limits.interval
            if block.upperBound == reach.numbers.upperBound { nextGlance = now + limits.period }
            self.reach = reach
            return .examine(block)
        }
        if now >= nextPoll, let first = lacking.ranges.first?.lowerBound { return .ask(first..<first) }
        return .wait(limits.interval)
    }

    /// Returns the next step for slots that the peer has; nil if there are none.
    private mutating func stepOfSlot(at now: MediaTime, _ reserve: (Int) -> MediaTime?) -> Step? {
        while true {
            if job == nil, let next = ready.popLast() { job = SlotHealing(next.hole, with: next.slot, limits) }
            guard let job else { return nil }
            if let file = job.next {
                if let free = reserve(file.byteCount ?? Self.initializationByteCount) {
                    return .wait(max(free - now, Self.tick))
                }
                return .fetch(file)
            }
            if job.isOfUse { return .insert(job.slot, bodies: job.bodies, declaration: declaration) }
            giveUpSlot(job.reason)
        }
    }

    /// Returns the slots to ask for: the newest hole, and others that fit into the same answer.
    private func stretch(upTo number: MediaSequenceNumber) -> Range<MediaSequenceNumber> {
        let block = BlockNumber(of: number).numbers.lowerBound
        let floor = max(block, number.advanced(by: 1 - RecordedSlots.most))
        return (holes.first { $0.number >= floor }?.number ?? number)..<number.next
    }

    /// Returns the newest slots of one block that were not examined; nil if all were.
    private func unexamined(
        in numbers: Range<MediaSequenceNumber>,
        sparesNewest: Bool
    ) -> Range<MediaSequenceNumber>? {
        var end = numbers.upperBound
        func newest(of range: Range<MediaSequenceNumber>) -> Range<MediaSequenceNumber>? {
            let range = range.clamped(to: numbers)
            if range.isEmpty || sparesNewest && range.upperBound == numbers.upperBound { return nil }
            return range.clamped(to: BlockNumber(of: range.upperBound.previous).numbers)
        }
        for known in examined.ranges.reversed() where known.lowerBound < end {
            if known.upperBound < end, let found = newest(of: known.upperBound..<end) { return found }
            end = known.lowerBound
        }
        guard numbers.lowerBound < end else { return nil }
        return newest(of: numbers.lowerBound..<end)
    }

    /// Forgets slots that are no longer kept.
    private mutating func forget(before number: MediaSequenceNumber) {
        for range in [lacking, deferred].compactMap(\.ranges.first) where range.lowerBound < number {
            lacking.remove(contentsOf: range.lowerBound..<number)
            deferred.remove(contentsOf: range.lowerBound..<number)
        }
        holes.removeAll { $0.number < number }
        ready.removeAll { $0.hole.number < number }
        if let hole = job?.hole, hole.number < number { job = nil }
        if let slot = trouble?.number, slot < number { trouble = nil }
        // No hole waits for the peer any more.
        if holes.isEmpty, ready.isEmpty, job == nil { (counts.problem, failures) = (nil, 0) }
    }

    /// Looks again at gaps that have left the live window, and now and then at slots that could not be read.
    private mutating func reopen(before served: MediaSequenceNumber, at now: MediaTime) {
        if now >= nextRetry, !unread.isEmpty {
            for range in unread.ranges { examined.remove(contentsOf: range) }
            unread = RangeSet()
            nextRetry = now + limits.poll
        }
        for range in deferred.ranges where range.lowerBound < served {
            let over = range.lowerBound..<min(range.upperBound, served)
            deferred.remove(contentsOf: over)
            examined.remove(contentsOf: over)
        }
    }

    /// Reports filled and skipped slots; many small holes make one message, and not one for each block.
    private mutating func report(at now: MediaTime) {
        guard now >= nextReport, !filled.isEmpty || !unfilled.numbers.isEmpty else { return }
        nextReport = now + limits.period
        for span in HealedSpan.spans(of: filled, segmentDuration: segmentDuration) { events.append(.filled(span)) }
        for span in HealedSpan.spans(of: unfilled.numbers, segmentDuration: segmentDuration) {
            events.append(.unfilled(span, reason: unfilled.reason))
        }
        filled = []
        unfilled = ([], "")
    }
}

extension RangeSet<MediaSequenceNumber> {
    /// The number of slots.
    fileprivate var count: Int { ranges.reduce(0) { $0 + $1.count } }
}
