/// The distance of the destination behind the origin.
extension PushPlan {
    /// True if anything is still to be done that can be.
    var isBehind: Bool {
        !pending.isEmpty || !underWay.isEmpty || outdated.contains(where: isComplete)
            || stored.keys.contains(where: canWithdraw) || expired.values.contains { mayGo($0.info) }
    }

    /// The next time at which something can be done that cannot be done before.
    func wakes(after now: Instant) -> Instant? {
        ([pace.resumesAt].compactMap(\.self) + deferred.values).filter { $0 > now }.min()
    }

    /// The age of the oldest file that is to be sent.
    func lag(at now: Instant) -> Duration {
        let oldest = (underWay.keys + [late, queue].compactMap { $0.rest.first(where: pending.contains) })
            .compactMap { pending.contains($0) ? files[$0]?.since : nil }
            .min()
        return oldest.map { now - $0 } ?? .zero
    }
}
