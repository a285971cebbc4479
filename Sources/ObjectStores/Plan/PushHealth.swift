/// An event of a destination that an operator wants to know of.
package enum PushEvent: Hashable, Sendable {
    case began(StoreProblem)
    /// Objects will never be there, since there was no room to keep them for later.
    case losing(StoreProblem)
    /// Everything is taken again; so many objects were lost.
    case ended(lost: Int)
    /// Every object of a finished recording is there.
    case recordingSent(id: String, objects: Int)
    case recordingFailed(id: String, reason: String)
    /// A recording that is gone is no longer there.
    case recordingRemoved(id: String)
    case recordingNotRemoved(id: String, reason: String)
    /// No recording is sent or deleted before somebody has done something.
    case recordingsHeldUp(StoreProblem)
    case recordingsGoOn
    /// The store refuses deletions, and accepts everything else.
    case deletionsRefused(StoreProblem)
    case deletionsGoOn
}

/// The problem that a destination has now, and whether that is news.
struct PushHealth: Hashable, Sendable {
    /// The problem that was reported; nil if there is none.
    private(set) var problem: StoreProblem?
    private var failures = 0
    /// The objects that were lost before the problem began, and true if it was reported that more are.
    private var lostBefore = 0
    private var isLosing = false

    /// Failures in a row that are reported: one alone is repaired before anybody can look.
    private static let notableFailures = 2

    /// Notes how a request went.
    ///
    /// - Parameters:
    ///   - result: Nil if it went well.
    ///   - lost: The objects that were lost since the start.
    /// - Returns: Nil if that is no news.
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
