import MediaCore
import Playlists

/// Gaps for slots that could not be published.
extension Presentation.State {
    /// Returns gap slots between the newest slot and a later one; none if nothing is listed, since then any later
    /// number may follow.
    ///
    /// - Returns: Nil if the gaps would fill the whole window.
    func gapSlots(before number: MediaSequenceNumber) -> [PublishedSlot]? {
        guard let last = window.last, let first = window.lastNumber?.next, first < number else { return [] }
        let slotDuration = configuration.segmentDuration
        let count = number.value - first.value
        guard slotDuration * count < max(configuration.windowDuration, slotDuration * Int64(Window.minimumCount)) else {
            return nil
        }
        var ends = last.segments.mapValues {
            ($0.line.programDateTime + $0.line.duration.time, $0.line.duration.timescale)
        }
        let latest = ends.values.max { $0.0 < $1.0 } ?? (.zero, MediaTime.timescale)
        return (0..<count).map { offset in
            let number = MediaSequenceNumber(first.value + offset)
            var slot = PublishedSlot(number: number, segments: [:])
            let edge = slotDuration * (number.value + 1)
            for id in renditions.map(\.id) {
                let (start, timescale) = ends[id] ?? latest
                // A segment lasts from the end of the one before to the edge of the grid, as a gap of a lost feed does.
                let end = max(edge, start + MediaTime(ticks: 1))
                let length = end.value(timescale: timescale) - start.value(timescale: timescale)
                slot.segments[id] = PublishedSegment(
                    programDateTime: start,
                    duration: SegmentDuration(value: max(1, length), timescale: timescale),
                    content: .gap
                )
                ends[id] = (end, timescale)
            }
            return slot
        }
    }

    /// Empties the window: the next slot begins it anew, with numbers and discontinuities counted on.
    mutating func beginAnew(now: MediaTime) -> PendingListing? {
        noteChange()
        for slot in window.removeFirst(window.slots.count) { retain(slot, now: now) }
        return nil
    }
}
