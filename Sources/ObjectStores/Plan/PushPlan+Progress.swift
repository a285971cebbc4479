/// The distance of the destination behind the origin.
extension PushPlan {
    /// True if anything is still to be done that can be.
    var isBehind: Bool {
        !pending.isEmpty || !underWay.isEmpty || outdated.contains(where: isComplete)
            || hasToDelete
    }

    /// The next time at which something can be done that cannot be done before.
    func wakes(after now: Instant) -> Instant? {
        let times = [pace.resumesAt, deletions.resumesAt, deletions.retriesAt, uploads.resumesAt].compactMap(\.self)
        return (times + deferred.values).filter { $0 > now }.min()
    }

    /// The requests that may be under way now, beside so many for recordings.
    func lanes(at now: Instant, beside others: Int) -> Int {
        min(pace.lanes(at: now), max(1, pace.maximum - others))
    }

    /// The age of an object from which on recordings wait.
    private static let patience = Duration.seconds(1)

    /// The requests for recordings that may be under way: the stream goes first, and has most of them for itself.
    func spareLanes(at now: Instant) -> Int {
        guard lag(at: now) <= Self.patience, uploads.mayBegin(at: now) else { return 0 }
        // Below a rate, what is begun at once would hold up the stream later.
        let most = uploads.isLimited ? 1 : Self.recordingLanes(of: pace.maximum)
        return max(0, min(most, pace.lanes(at: now) - underWay.count))
    }

    /// The most requests for recordings, of so many for all.
    static func recordingLanes(of lanes: Int) -> Int { max(1, lanes / 4) }

    /// The age of the oldest file that is to be sent.
    func lag(at now: Instant) -> Duration {
        let oldest = (underWay.keys + [late, queue].compactMap { $0.rest.first(where: pending.contains) })
            .compactMap { pending.contains($0) ? files[$0]?.since : nil }
            .min()
        return oldest.map { now - $0 } ?? .zero
    }
}
