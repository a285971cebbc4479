import MediaCore

/// Limits the requests of each client per minute; any number of them may come at once.
///
/// One time is stored for each client: the end of its requests so far if they had come evenly (the generic cell rate
/// algorithm). The memory is bounded: beyond ``capacity`` clients, new ones are not limited.
struct RequestRate: Sendable {
    /// The number of clients that are counted separately.
    static let capacity = 65_536

    private let interval: MediaTime
    private var ends: [Int: MediaTime] = [:]
    private var lastPruned = MediaTime.zero

    private static let burst = MediaTime(seconds: 60)

    /// - Parameter perMinute: Positive.
    init(perMinute: Int) {
        interval = MediaTime(ticks: Self.burst.ticks / Int64(perMinute))
    }

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - asker: Identifies the client.
    ///   - now: A clock that never goes back.
    /// - Returns: The seconds until the next one is admitted, if this one is refused; nil if it is admitted.
    mutating func refusal(of asker: Int, at now: MediaTime) -> Int? {
        let end = max(ends[asker] ?? now, now) + interval
        guard end - now <= Self.burst else { return (end - now - Self.burst).secondsRoundedUp }
        if ends[asker] == nil, ends.count >= Self.capacity { prune(now) }
        if ends[asker] != nil || ends.count < Self.capacity { ends[asker] = end }
        return nil
    }

    private mutating func prune(_ now: MediaTime) {
        // Not more than once a second: a crowd above the capacity must not cost a full pass per request.
        guard now - lastPruned >= MediaTime(seconds: 1) else { return }
        lastPruned = now
        ends = ends.filter { $0.value > now }
    }
}
