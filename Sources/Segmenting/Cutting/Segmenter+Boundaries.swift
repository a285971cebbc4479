import MediaCore
import Timeline

/// Where slots start and end.
extension Segmenter {
    /// Fills the leading track's slots as far as its sources have come: where they were cut the others are cut.
    ///
    /// - Parameter forced: Up to this slot nothing is waited for.
    mutating func advanceLeader(forcing forced: MediaSequenceNumber?) {
        guard tracks[leader].kind == .video else {
            advanceByPlan()
            while let number = leaderEnd?.next ?? next, let forced, number <= forced { appendPlannedSlot(number) }
            return
        }
        leapToMedia()
        while let number = leaderEnd?.next ?? next ?? tracks[leader].sources.compactMap(\.firstCut).min() {
            // What is more than a run is leapt over once the slots before it are handed on; a start goes by time alone.
            let isPast = hasStarted && boundaries.count <= longestRun && tracks[leader].isPast(number)
            let isForced = forced.map { number <= $0 } ?? false || isPast
            let start = leaderEnd?.utc ?? plan.start(of: number)
            let slot = SlotBoundaries(number: number, start: start, end: plannedEnd(of: number, start: start))
            choose(slot, track: leader, isForced: isForced)
            if let cut = filling(number, track: leader) {
                append(SlotBoundaries(number: number, start: cut.start.utc, end: cut.end.utc))
            } else if isForced {
                append(slot)
            } else {
                return
            }
        }
    }

    /// Leaves out what the leading track has passed without media, where that is more than would be listed.
    private mutating func leapToMedia() {
        guard let number = leaderEnd?.next ?? next, tracks[leader].isPast(number),
            let first = tracks[leader].sources.compactMap(\.firstCut).min()
        else { return }
        leap(through: first.previous)
    }

    /// Without video the boundaries are the plan's edges, as far as the leading audio has come.
    mutating func advanceByPlan() {
        guard let utc = tracks[leader].sources.compactMap(\.newestAudio).max() else { return }
        guard let next else {
            // The first whole slot: the one that starts now, or the next.
            let slot = plan.slot(at: utc)
            let isWhole = utc - plan.start(of: slot) < MediaTime(milliseconds: 25)
            self.next = isWhole ? slot : slot.next
            return
        }
        var number = leaderEnd?.next ?? next
        // The next sample brings more, or time does.
        while utc >= plan.start(of: number.next), boundaries.count <= longestRun {
            appendPlannedSlot(number)
            number = number.next
        }
    }

    /// A slot whose end is the planned one.
    mutating func appendPlannedSlot(_ number: MediaSequenceNumber) {
        let end = leaderEnd?.next == number ? leaderEnd?.utc : nil
        let start = end ?? plan.start(of: number)
        append(SlotBoundaries(number: number, start: start, end: plannedEnd(of: number, start: start)))
    }

    /// The time of a slot is up: video says no more about it.
    mutating func closeVideo(_ number: MediaSequenceNumber) {
        for index in tracks.indices {
            for source in tracks[index].sources.indices {
                for cut in tracks[index].sources[source].close(through: number) {
                    tracks[index].store(cut, from: source)
                }
            }
        }
    }

    /// Video that has ended may have ended long before its slot did.
    private func plannedEnd(of number: MediaSequenceNumber, start: MediaTime) -> MediaTime {
        min(plan.start(of: number.next), start + grid.longestSegment)
    }

    private mutating func append(_ slot: SlotBoundaries) {
        boundaries.append(slot)
        leaderEnd = (slot.number.next, slot.end)
        next = next ?? slot.number
    }
}
