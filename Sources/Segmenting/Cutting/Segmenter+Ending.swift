import MediaCore
import Timeline

extension Segmenter {
    /// Ends all slots: every input has come to its end.
    package mutating func ended() -> [Slot] {
        guard !tracks.isEmpty else { return [] }
        allowFillers(until: nil)
        for index in tracks.range {
            for source in tracks[index.value].sources.ranks {
                guard let cut = tracks[index.value].sources[source].finish() else { continue }
                tracks[index.value].store(cut, from: source)
            }
        }
        advanceLeader(forcing: nil)
        // Audio may continue after video has ended.
        let newest = tracks.filter { $0.kind == .audio }.flatMap { $0.sources.compactMap(\.newest) }.max()
        if newest != nil, leaderEnd == nil { advanceByPlan() }
        var slots: [Slot] = []
        while true {
            let isLast = newest.map { appendPlannedSlots(until: $0) } ?? true
            slots += collect(forcing: boundaries.last?.number, isLast: isLast)
            if isLast { return slots }
            if let newest { leap(through: plan.slot(at: newest)) }
        }
    }

    /// - Returns: True if these are all; otherwise the slots have to be collected first.
    private mutating func appendPlannedSlots(until newest: MediaTime) -> Bool {
        var number = leaderEnd?.next ?? next ?? plan.slot(at: newest)
        // The last segment holds the rest, up to the target duration.
        while boundaries.last.map({ newest >= $0.start + grid.longestSegment }) ?? (number <= plan.slot(at: newest)) {
            if boundaries.count > longestRun { return false }
            // If video leads, its media for the slot goes with it.
            advanceLeader(forcing: number)
            if leaderEnd.map({ $0.next <= number }) ?? true { appendPlannedSlot(number) }
            number = leaderEnd?.next ?? number.next
        }
        return true
    }
}
