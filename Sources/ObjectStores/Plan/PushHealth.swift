/// An event of a destination that an operator wants to know of.
package enum PushEvent: Hashable, Sendable {
    /// The destination fails requests, such as the one for the object at a path.
    case began(StoreProblem, path: String)
    /// Objects were lost: the backlog had no room for them.
    case losing(StoreProblem)
    /// The destination accepts everything again; the number counts lost objects.
    case ended(lost: Int)
    /// The origin lists a file and does not have it: no playlist that names it is sent.
    case missing(path: String)
    /// A finished recording is complete at the destination.
    case recordingSent(id: String, objects: Int)
    case recordingFailed(id: String, reason: String)
    /// A removed recording was deleted at the destination.
    case recordingRemoved(id: String)
    case recordingNotRemoved(id: String, reason: String)
    /// Recordings are neither sent nor deleted before the operator acts.
    case recordingsHeldUp(StoreProblem)
    case recordingsResumed
    /// The store refuses deletions, and accepts everything else.
    case deletionsRefused(StoreProblem)
    case deletionsResumed
}

/// The current problem of a destination, and the decision to report it.
///
/// A store may fail some requests and accept others. The problem is over only with a success that comes a while after
/// the first one, without a failure in between.
struct PushHealth: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The problem that was reported; nil if there is none.
    private(set) var problem: StoreProblem?
    /// The time without failures after which a problem is over.
    private let calm: Duration
    /// The first success after the newest failure; nil before it.
    private var succeededAt: Instant?
    private var failures = 0
    /// The number of lost objects before the problem began, and true if later losses were reported.
    private var lostBefore = 0
    private var isLosing = false

    /// The failures in a row that are reported: a single one is over before anybody can look.
    private static let notableFailures = 2

    /// - Parameter calm: The time without failures after which a problem is over: longer than the pauses between tries
    ///   of an object that is refused while the store accepts others.
    init(calm: Duration) { self.calm = calm }

    /// Notes the result of a request.
    ///
    /// - Parameters:
    ///   - result: The problem; nil for a success.
    ///   - path: The object that was requested.
    ///   - lost: The number of objects lost since the start.
    ///   - now: The time.
    /// - Returns: The event to report; nil if there is none.
    mutating func noted(_ result: StoreProblem?, of path: String, lost: Int, at now: Instant) -> PushEvent? {
        guard let result else { return succeeded(lost: lost, at: now) }
        failures += 1
        succeededAt = nil
        if problem != nil {
            problem = result
            guard lost > lostBefore, !isLosing else { return nil }
            isLosing = true
            return .losing(result)
        }
        guard failures >= Self.notableFailures || result.needsOperator else { return nil }
        problem = result
        return .began(result, path: path)
    }

    private mutating func succeeded(lost: Int, at now: Instant) -> PushEvent? {
        failures = 0
        let start = succeededAt ?? now
        succeededAt = start
        guard problem != nil else {
            lostBefore = lost
            return nil
        }
        guard now - start >= calm else { return nil }
        defer { (problem, isLosing, lostBefore) = (nil, false, lost) }
        return .ended(lost: lost - lostBefore)
    }
}
