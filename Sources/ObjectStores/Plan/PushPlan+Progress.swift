import NIOCore

/// The distance of the destination behind the origin.
extension PushPlan {
    /// True if work is left that can be done.
    var isBehind: Bool {
        !pending.isEmpty || !underWay.isEmpty || outdated.contains(where: isComplete)
            || hasToDelete
    }

    /// The next time at which more can be done.
    func wakes(after now: Instant) -> Instant? {
        let times = [pace.resumesAt, deletions.resumesAt, deletions.retriesAt, uploads.resumesAt].compactMap(\.self)
        return (times + deferred.values).filter { $0 > now }.min()
    }

    /// The most requests of the stream under way now, beside those for recordings.
    func lanes(at now: Instant, beside others: Int) -> Int {
        min(pace.lanes(at: now), max(1, pace.maximum - others))
    }

    /// The age of a waiting object that makes recordings wait.
    private static let patience = Duration.seconds(1)

    /// The most requests for recordings: the stream goes first, and has most requests for itself.
    func spareLanes(at now: Instant) -> Int {
        guard lag(at: now) <= Self.patience, uploads.mayBegin(at: now) else { return 0 }
        // With a rate, requests that begin at once would hold up the stream later.
        let most = uploads.isLimited ? 1 : Self.recordingLanes(of: pace.maximum)
        return max(0, min(most, pace.lanes(at: now) - underWay.count))
    }

    /// The most requests for recordings, by the number of all.
    static func recordingLanes(of lanes: Int) -> Int { max(1, lanes / 4) }

    /// The age of the oldest waiting file.
    func lag(at now: Instant) -> Duration {
        let oldest = (underWay.keys + [late, queue].compactMap { $0.first(where: pending.contains) })
            .compactMap { pending.contains($0) ? files[$0]?.since : nil }
            .min()
        return oldest.map { now - $0 } ?? .zero
    }
}
