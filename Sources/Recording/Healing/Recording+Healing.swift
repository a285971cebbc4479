package import MediaCore
import Presentation
import Synchronization

/// The two sides of healing: answers for the other member of a pair, and the slots that may be taken from it.
extension Recording {
    /// The length of a slot.
    package var segmentDuration: MediaTime { style.segmentDuration }

    /// Answers the other member of a pair; it waits for the disk.
    ///
    /// - Parameter asked: The slots, at most ``RecordedSlots/most``; those of another block than the first are left
    ///   out.
    /// - Returns: The slots that were recorded, and the extent of the recording.
    /// - Throws: ``RecordingError/failed(_:)`` if the disk cannot be read.
    package func recordedSlots(in asked: Range<MediaSequenceNumber>) throws(RecordingError) -> RecordedSlots {
        let extent = self.extent ?? .nothing
        let numbers = asked.clamped(to: BlockNumber(of: asked.lowerBound).numbers).clamped(to: extent)
        var answer = RecordedSlots(segmentDuration: segmentDuration, extent: extent, numbers: numbers, slots: [])
        if numbers.isEmpty { return answer }
        answer.slots = try slots(in: numbers)
        answer.declaration = try declaration(at: numbers.lowerBound)
        return answer
    }

    /// Finds the slots in which holes may be filled.
    ///
    /// - Parameters:
    ///   - now: UTC.
    ///   - patience: The time after its end for which a slot may still be published.
    /// - Returns: The slots that will not be published any more and are kept for a while.
    package func healingReach(at now: MediaTime, patience: MediaTime) -> HealingReach {
        let (extent, served, lost) = state.withLock { ($0.extent, $0.oldestServed, $0.lost) }
        guard let extent else { return HealingReach(numbers: .nothing, served: served, lost: lost) }
        let newest = min(extent.upperBound, slot(at: now - patience))
        var oldest = extent.lowerBound
        if let age = limits.age { oldest = max(oldest, slot(at: now - age)) }
        return HealingReach(numbers: min(oldest, newest)..<newest, served: served, lost: lost)
    }

    private func slot(at time: MediaTime) -> MediaSequenceNumber {
        MediaSequenceNumber(max(0, time.ticks / segmentDuration.ticks))
    }
}

extension Range<MediaSequenceNumber> {
    fileprivate static var nothing: Self { MediaSequenceNumber(0)..<MediaSequenceNumber(0) }
}
