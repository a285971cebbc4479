/// Counts viewers: clients that asked for media lately.
///
/// A viewer is known by the hash of its address and its user agent, since a player opens several connections and several
/// players may share an address. The memory is bounded: beyond ``capacity`` viewers the count stays there.
package struct ViewerCensus: ~Copyable {
    /// Viewers that are told apart.
    package static let capacity = 65_536
    /// Seconds after its last request that a viewer still counts.
    package static let memory: Int64 = 30

    private var lastSeen: [Int: Int64] = [:]
    private var lastPruned: Int64 = .min

    package init() {}

    /// A viewer asked for something.
    ///
    /// - Parameters:
    ///   - viewer: Its hash.
    ///   - now: Seconds of a clock that never goes back.
    package mutating func requested(by viewer: Int, now: Int64) {
        if lastSeen.updateValue(now, forKey: viewer) == nil, lastSeen.count > Self.capacity {
            prune(now)
            if lastSeen.count > Self.capacity { lastSeen[viewer] = nil }
        }
    }

    /// Viewers of the last ``memory`` seconds.
    package mutating func count(now: Int64) -> Int {
        prune(now)
        return lastSeen.count
    }

    private mutating func prune(_ now: Int64) {
        // Not more than once a second: a crowd above the capacity must not cost a full pass per request.
        guard now > lastPruned else { return }
        lastPruned = now
        lastSeen = lastSeen.filter { now - $0.value < Self.memory }
    }
}
