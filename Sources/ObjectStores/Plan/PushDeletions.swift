import NIOCore

/// Decides when objects are deleted, so that refused deletions cost next to nothing and hold up no others.
///
/// An object that the store refuses to delete is tried again after all others. After refusals in a row
/// the pauses grow.
struct PushDeletions: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The most deletions at once; the other requests are left to the stream.
    private let maximum: Int
    /// The number of deletions under way.
    private(set) var underWay = 0
    /// The reason for which deletions are refused; nil once the store has deleted an object.
    private(set) var refusal: StoreProblem?
    /// The time until which nothing is deleted.
    private(set) var resumesAt: Instant?
    /// Refusals in a row.
    private var failures = 0
    private var pausedAt: Instant?
    /// The refusals of each object that is still to be deleted.
    private var refusals: [String: Int] = [:]
    /// The refused objects that are not under way, in the order of their next tries.
    private var queue = CircularBuffer<String>()
    /// The time until which none of them is tried again.
    private(set) var retriesAt: Instant?
    /// True after refusals were reported, until they end.
    private var isReported = false
    /// The event that has not been taken yet.
    private var event: PushEvent?

    private static let shortestPause = Duration.seconds(10)
    private static let longestPause = Duration.seconds(600)

    /// - Parameter lanes: The most requests of all kinds at once; a quarter of them may delete.
    init(lanes: Int) { maximum = max(1, lanes / 4) }

    /// The number of objects that the store has refused to delete, and that are still to be deleted.
    var refusedCount: Int { refusals.count }

    /// Returns true if another deletion may begin.
    ///
    /// During refusals, one at a time is tried.
    func mayBegin(at now: Instant) -> Bool {
        if let resumesAt, now < resumesAt { return false }
        return underWay < (refusal == nil ? maximum : 1)
    }

    /// Returns true if the store has refused to delete an object.
    func isRefused(_ path: String) -> Bool { refusals[path] != nil }

    /// Returns the refused object that is tried again now; nil if there is none.
    mutating func nextRefused(at now: Instant) -> String? {
        guard retriesAt.map({ $0 <= now }) ?? true, let path = queue.popFirst() else { return nil }
        // Refused objects are tried again one at a time.
        retriesAt = now + Self.shortestPause
        return path
    }

    /// Notes that a request is sent.
    mutating func begin() { underWay += 1 }

    /// Notes that a request has ended, with any result.
    mutating func end() { underWay = max(0, underWay - 1) }

    /// Notes that the store has deleted an object.
    ///
    /// - Parameters:
    ///   - path: The object.
    ///   - start: The time at which the request was sent.
    mutating func succeeded(_ path: String, sentAt start: Instant) {
        // The next of those that were refused may be free as well.
        if refusals.removeValue(forKey: path) != nil { retriesAt = nil }
        // Requests that were sent before a refusal do not show if it lasts.
        if let pausedAt, start <= pausedAt { return }
        (refusal, resumesAt, failures, pausedAt) = (nil, nil, 0, nil)
        guard isReported, refusals.isEmpty else { return }
        (isReported, event) = (false, .deletionsResumed)
    }

    /// Notes that the store refuses to delete an object.
    ///
    /// - Parameters:
    ///   - path: The object.
    ///   - problem: The reason.
    ///   - start: The time at which the request was sent.
    ///   - now: The time.
    ///   - chance: Between 0 and 1.
    mutating func refused(
        _ path: String,
        _ problem: StoreProblem,
        sentAt start: Instant,
        now: Instant,
        chance: Double
    ) {
        if !isReported { (isReported, event) = (true, .deletionsRefused(problem)) }
        let (count, share) = (refusals[path, default: 0] + 1, 0.5 + chance / 2)
        refusals[path] = count
        queue.append(path)
        if count > 1 || retriesAt == nil {
            // Each of many refused deletions is still tried again now and then.
            retriesAt = now + max(Self.shortestPause, Self.pause(after: count) / refusals.count) * share
        }
        // The store deletes others, and is known to refuse this one.
        if count > 1, refusal == nil { return }
        refusal = problem
        // All that were under way are refused for one cause.
        if let pausedAt, start <= pausedAt { return }
        (failures, pausedAt) = (failures + 1, now)
        // A single object may be locked.
        if failures > 1 { resumesAt = now + Self.pause(after: failures - 1) * share }
    }

    private static func pause(after failures: Int) -> Duration {
        min(shortestPause * (1 << min(failures - 1, 10)), longestPause)
    }

    /// Puts a refused object behind the others again, because its deletion could not be tried.
    mutating func putBack(_ path: String) { if isRefused(path) { queue.append(path) } }

    /// Notes that an object stays.
    mutating func forget(_ path: String) {
        guard refusals.removeValue(forKey: path) != nil else { return }
        queue.removeAll { $0 == path }
    }

    /// Returns the event for the operator, once.
    mutating func takeEvent() -> PushEvent? {
        defer { event = nil }
        return event
    }
}

extension StoreProblem {
    /// True if uploads may succeed although a deletion fails for this reason.
    var refusesDeletion: Bool {
        switch self {
        case .forbidden, .refused: true
        case .unreachable, .busy, .absent, .elsewhere, .clock, .credentials, .unreadable: false
        }
    }
}
