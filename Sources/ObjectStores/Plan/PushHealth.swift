/// An event of a destination that an operator wants to know of.
package enum PushEvent: Hashable, Sendable {
    case began(StoreProblem)
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
struct PushHealth: Hashable, Sendable {
    /// The problem that was reported; nil if there is none.
    private(set) var problem: StoreProblem?
    private var failures = 0
    /// The number of lost objects before the problem began, and true if later losses were reported.
    private var lostBefore = 0
    private var isLosing = false

    /// The failures in a row that are reported: a single one is over before anybody can look.
    private static let notableFailures = 2

    /// Notes the result of a request.
    ///
    /// - Parameters:
    ///   - result: The problem; nil for a success.
    ///   - lost: The number of objects lost since the start.
    /// - Returns: The event to report; nil if there is none.
    mutating func noted(_ result: StoreProblem?, lost: Int) -> PushEvent? {
        guard let result else {
            let event = problem.map { _ in PushEvent.ended(lost: lost - lostBefore) }
            (problem, failures, isLosing, lostBefore) = (nil, 0, false, lost)
            return event
        }
        failures += 1
        if problem != nil {
            problem = result
            guard lost > lostBefore, !isLosing else { return nil }
            isLosing = true
            return .losing(result)
        }
        guard failures >= Self.notableFailures || result.needsOperator else { return nil }
        problem = result
        return .began(result)
    }
}
