/// The order of recordings.
extension RecordingPlan {
    /// Returns the next recording; nil if none is due.
    func next(at now: Instant) -> String? {
        let due = items.filter { $0.value.isDue(at: now) }
        let removals = due.filter { $0.value.goal == .removed }
        let hasRoom = items.values.count { $0.progress != nil } < Self.mostListed
        let unsent = due.filter { _, item in
            item.goal == .sent && item.progress.map { !$0.isComplete } ?? hasRoom
        }
        for candidates in [removals, unsent] {
            // An ID begins with the time of its post.
            if let id = candidates.filter({ $0.value.reportedCause == nil }).keys.min() { return id }
        }
        // Recordings that fail repeatedly do not hold up others: the one that has waited longest is first.
        return removals.merging(unsent) { first, _ in first }
            .min { one, other in
                let times = (one.value.failure?.retriesAt ?? now, other.value.failure?.retriesAt ?? now)
                return times.0 == times.1 ? one.key < other.key : times.0 < times.1
            }?
            .key
    }

    /// Returns true if a recording is to be deleted for the first time.
    func hasRemovals(at now: Instant) -> Bool {
        items.values.contains { $0.goal == .removed && $0.reportedCause == nil && $0.isDue(at: now) }
    }

    /// Returns the next step of a recording.
    func step(of id: String) -> Action {
        guard let progress = items[id]?.progress else {
            return items[id]?.goal == .removed ? .forget(id: id) : .list(id: id)
        }
        return progress.isGoing && progress.done == 0 ? .forget(id: id) : .turn(id: id, progress)
    }
}
