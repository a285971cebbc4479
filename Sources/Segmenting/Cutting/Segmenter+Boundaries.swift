package import MediaCore
package import Timeline

/// The starts and ends of slots.
extension Segmenter {
    /// Takes a splice: the nearest boundary that is not cut yet moves there, for every track and source.
    ///
    /// - Parameters:
    ///   - time: The time of the splice, in UTC.
    ///   - heard: The progress of its feed when the splice arrived, in UTC.
    /// - Returns: The outcome.
    package mutating func splice(at time: MediaTime, heard: MediaTime) -> BoundaryPlan.Reception {
        var planned = plan
        if let oldest = past.first ?? boundaries.first { planned.forget(before: oldest.number) }
        let reception = planned.add(splice: time, heard: heard)
        guard case .planned(let slot) = reception else {
            // It is known, for as long as another one has its room.
            if reception == .crowded { plan = planned }
            return reception
        }
        if let leaderEnd, slot < leaderEnd.next { return .late(by: heard - plan.start(of: slot)) }
        follow(planned)
        return reception
    }

    /// Takes a splice back that was withdrawn: its boundary returns to the grid, unless it is cut already.
    ///
    /// - Parameters:
    ///   - time: The time of the splice, in UTC.
    ///   - heard: The progress of its feed when it was withdrawn, in UTC.
    /// - Returns: The slot that no longer begins with it; nil if nothing has changed.
    mutating func withdraw(spliceAt time: MediaTime, heard: MediaTime) -> MediaSequenceNumber? {
        var planned = plan
        guard let slot = planned.remove(splice: time, heard: heard) else { return nil }
        // The next slot begins where the one before has ended.
        if let leaderEnd, slot <= leaderEnd.next { return nil }
        // Another input may be ahead, with parts beyond the edge that viewers have.
        if let open = tracks[leader.value].open, open.end.boundary.utc > grid.start(of: slot) { return nil }
        follow(planned)
        return slot
    }

    /// Continues with the plan of an earlier run or a peer: boundaries that it has moved move here, unless they are cut
    /// already.
    package mutating func restore(boundaries splices: [MediaTime]) {
        var planned = plan
        for time in splices {
            var attempt = planned
            guard case .planned(let slot) = attempt.add(splice: time, heard: .zero) else { continue }
            if let leaderEnd, slot < leaderEnd.next { continue }
            planned = attempt
        }
        if planned != plan { follow(planned) }
    }

    private mutating func follow(_ planned: BoundaryPlan) {
        plan = planned
        for track in tracks.range {
            for source in tracks[track.value].sources.ranks { tracks[track.value].sources[source].follow(plan) }
        }
    }

    /// Fills the leading track's slots up to its sources' media; the other tracks are cut at its boundaries.
    ///
    /// - Parameter forced: The last slot for which nothing is waited for.
    mutating func advanceLeader(forcing forced: MediaSequenceNumber?) {
        guard tracks[leader.value].kind == .video else {
            advanceByPlan()
            while let number = leaderEnd?.next ?? next, let forced, number <= forced { appendPlannedSlot(number) }
            return
        }
        leapToMedia()
        while let number = leaderEnd?.next ?? next ?? tracks[leader.value].sources.compactMap(\.firstCut).min() {
            // Slots beyond a run are skipped once the slots before them are handed on; the start depends only on time.
            let isPast = hasStarted && boundaries.count <= longestRun && isPast(number)
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

    /// Returns true if the leading track has media for later slots, and nothing will come for this one.
    private func isPast(_ number: MediaSequenceNumber) -> Bool {
        // This runs for every sample, and reading one property of a source does not copy the whole source.
        let (leader, sources) = (leader, tracks[leader.value].sources.ranks)
        guard sources.contains(where: { tracks[leader.value].sources[$0].newestCut.map { $0 > number } ?? false })
        else {
            return false
        }
        return tracks[leader.value].isPast(number)
    }

    /// Skips slots that the leading track has passed without media, if they are more than playlists would list.
    private mutating func leapToMedia() {
        guard let number = leaderEnd?.next ?? next, isPast(number),
            let first = tracks[leader.value].sources.compactMap(\.firstCut).min()
        else { return }
        leap(through: first.previous)
    }

    /// Takes the plan's edges as boundaries, up to the leading track's media, if there is no video.
    mutating func advanceByPlan() {
        guard let utc = tracks[leader.value].sources.compactMap(\.newest).max() else { return }
        guard let next else {
            // The first slot must be whole: the slot that starts now, or the next.
            let slot = plan.slot(at: utc)
            let isWhole = utc - plan.start(of: slot) < MediaTime(milliseconds: 25)
            self.next = isWhole ? slot : slot.next
            return
        }
        var number = leaderEnd?.next ?? next
        // The next sample brings more slots, or time does.
        while utc >= plan.start(of: number.next), boundaries.count <= longestRun {
            appendPlannedSlot(number)
            number = number.next
        }
    }

    /// Appends a slot that ends as planned.
    mutating func appendPlannedSlot(_ number: MediaSequenceNumber) { append(plannedSlot(number)) }

    /// Returns a slot from the end of the one before it to its planned end.
    func plannedSlot(_ number: MediaSequenceNumber) -> SlotBoundaries {
        let end = leaderEnd?.next == number ? leaderEnd?.utc : nil
        let start = end ?? plan.start(of: number)
        return SlotBoundaries(number: number, start: start, end: plannedEnd(of: number, start: start))
    }

    /// Ends a slot of video whose time is up.
    mutating func closeVideo(_ number: MediaSequenceNumber) {
        for index in tracks.range {
            // In a slot that is published in parts, other sources do not count, for they may wait for a key frame.
            let open = tracks[index.value].open.flatMap { $0.number == number ? $0 : nil }
            for source in tracks[index.value].sources.ranks where open == nil || open?.source == source {
                for cut in tracks[index.value].sources[source].close(through: number) {
                    tracks[index.value].store(cut, from: source)
                }
            }
        }
    }

    /// Returns the planned end, or an earlier one: video that has ended may have ended long before its slot did.
    private func plannedEnd(of number: MediaSequenceNumber, start: MediaTime) -> MediaTime {
        min(plan.start(of: number.next), start + grid.longestSegment)
    }

    private mutating func append(_ slot: SlotBoundaries) {
        boundaries.append(slot)
        leaderEnd = (slot.number.next, slot.end)
        next = next ?? slot.number
    }
}
