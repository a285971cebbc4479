package import MediaCore
package import NIOCore
import Presentation

/// The results of the steps of a plan.
extension HealingPlan {
    /// Takes the holes of some slots.
    ///
    /// - Parameters:
    ///   - found: The holes, in order; nil where the disk cannot be read.
    ///   - numbers: The slots that were looked at.
    package mutating func found(_ found: [RecordedHole]?, in numbers: Range<MediaSequenceNumber>) {
        examined.insert(contentsOf: numbers)
        guard let found else { return unread.insert(contentsOf: numbers) }
        for hole in found where numbers.contains(hole.number) {
            // A slot that is neither recorded nor lost was never listed, and may be filled at once.
            let isListed = hole.renditions != nil || reach?.lost.contains(hole.number) ?? false
            if isListed, reach?.served.map({ $0 <= hole.number }) ?? true {
                deferred.insert(contentsOf: hole.number..<hole.number.next)
            } else {
                holes.append(hole)
            }
        }
    }

    /// Takes the peer's answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - asked: The slots that it was asked for.
    ///   - now: The time on the clock of ``next(_:at:reserve:)``.
    package mutating func answered(_ answer: RecordedSlots, of asked: Range<MediaSequenceNumber>, at now: MediaTime) {
        guard answer.segmentDuration == segmentDuration else {
            return misunderstood(
                "the segment duration is \(answer.segmentDuration) at the peer, and \(segmentDuration) on this packager",
                at: now
            )
        }
        guard answer.numbers == asked.clamped(to: answer.extent) else {
            return misunderstood("it answers for other slots than it was asked for", at: now)
        }
        note(answer.extent, at: now)
        nextPoll = now + limits.poll
        if trouble == nil { succeeded() }
        declaration = answer.declaration
        let slots = Dictionary(answer.slots.map { ($0.number, $0) }) { first, _ in first }
        let members = holes.filter { asked.contains($0.number) }
        holes.removeAll { asked.contains($0.number) }
        for hole in members {
            if let slot = slots[hole.number] {
                ready.append((hole, slot))
            } else {
                giveUp(hole.number, Self.lack)
            }
        }
    }

    /// Takes the bytes of the current file.
    ///
    /// - Parameter body: The bytes; nil for an initialization section that the recording has already.
    package mutating func received(_ body: ByteBuffer?) {
        job?.take(body)
        if trouble == nil { succeeded() }
    }

    /// Notes that the current file was refused.
    ///
    /// - Parameter reason: The reason, in one phrase.
    package mutating func refused(_ reason: String) {
        job?.refuse(reason)
        if trouble == nil { succeeded() }
    }

    /// Notes an answer that makes no sense.
    ///
    /// - Parameters:
    ///   - reason: The reason, in one phrase.
    ///   - now: The time on the clock of ``next(_:at:reserve:)``.
    package mutating func misunderstood(_ reason: String, at now: MediaTime) {
        counts.refused += 1
        failed(reason, at: now)
    }

    /// Notes that the peer does not answer: everything waits, longer each time.
    ///
    /// - Parameters:
    ///   - reason: The reason, in one phrase.
    ///   - now: The time on the clock of ``next(_:at:reserve:)``.
    package mutating func failed(_ reason: String, at now: MediaTime) {
        let number = job?.hole.number
        if let number {
            let count = (trouble?.number == number ? trouble?.count ?? 0 : 0) + 1
            trouble = (number, count)
        }
        if let trouble, trouble.number == number, trouble.count >= limits.attempts {
            giveUpSlot(reason)
        }
        pause(reason, at: now)
    }

    /// Notes the outcome of inserting a slot.
    ///
    /// - Parameters:
    ///   - error: The reason why it was not inserted; nil if it was.
    ///   - now: The time on the clock of ``next(_:at:reserve:)``.
    package mutating func inserted(_ error: RecordingError?, at now: MediaTime) {
        guard let job else { return }
        let number = job.hole.number
        switch error {
        case nil:
            counts.filled += 1
            filled.append(number)
            succeeded()
            if job.isWhole { finishSlot() } else { giveUpSlot(job.reason) }
        // The slot was removed meanwhile.
        case .outside?: finishSlot()
        case .mismatch(let path)?:
            counts.refused += 1
            giveUpSlot("\(RecordingError.mismatch(path: path))")
        case let error?:
            // The disk failed, not the slot: it is fetched again, less and less often.
            trouble = (number, trouble?.number == number ? trouble?.count ?? 0 : 0)
            pause("\(error)", at: now)
        }
    }

    /// The reason why a slot is skipped that the peer does not have.
    private static var lack: String { "it lacks them as well" }

    /// Ends the current slot.
    private mutating func finishSlot() {
        counts.refused += job?.refusals ?? 0
        (job, trouble) = (nil, nil)
    }

    /// Ends the current slot, which stays incomplete.
    ///
    /// - Parameter reason: The reason; nil if the peer does not have it.
    mutating func giveUpSlot(_ reason: String?) {
        if let number = job?.hole.number { giveUp(number, reason ?? Self.lack) }
        finishSlot()
    }

    private mutating func giveUp(_ number: MediaSequenceNumber, _ reason: String) {
        lacking.insert(contentsOf: number..<number.next)
        if unfilled.numbers.isEmpty || unfilled.reason == Self.lack { unfilled.reason = reason }
        unfilled.numbers.append(number)
    }

    /// Learns the extent of the peer's recording: if it has grown, or is another recording, it may have slots that it
    /// lacked.
    ///
    /// This is limited in time: a peer that reports another extent each time must not be asked for everything each
    /// time.
    private mutating func note(_ extent: Range<MediaSequenceNumber>, at now: MediaTime) {
        guard let before = peerExtent else {
            peerExtent = extent
            return
        }
        guard extent != before, now >= nextNews else { return }
        (peerExtent, nextNews) = (extent, now + limits.poll)
        if extent.lowerBound < before.lowerBound || extent.upperBound < before.upperBound {
            (lacking, examined) = (RangeSet(), RangeSet())
            return
        }
        let news = before.upperBound..<extent.upperBound
        for range in lacking.ranges where range.overlaps(news) {
            lacking.remove(contentsOf: range.clamped(to: news))
            examined.remove(contentsOf: range.clamped(to: news))
        }
    }

    private mutating func succeeded() {
        if failures >= limits.patience { events.append(.resumed) }
        failures = 0
        counts.problem = nil
    }

    /// Returns the current holes to the plan, and waits.
    private mutating func pause(_ reason: String, at now: MediaTime) {
        if let hole = job?.hole { holes.append(hole) }
        holes += ready.map(\.hole)
        holes.sort { $0.number < $1.number }
        (ready, job) = ([], nil)
        failures += 1
        let doublings = min(failures - 1, 16)
        resumes = now + min(limits.longestDelay, limits.firstDelay * (Int64(1) << doublings))
        if holes.isEmpty {
            // A failed poll has no effect on viewers, and is not reported.
            nextPoll = now + limits.poll
            failures = 0
            counts.problem = nil
        } else if failures == limits.patience {
            counts.problem = reason
            events.append(.interrupted(missing: holes.count, reason: reason))
        }
    }
}
