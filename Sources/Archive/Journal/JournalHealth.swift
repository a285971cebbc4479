import MediaCore

/// The present problems of a journal, and the decision to report them.
package struct JournalHealth: Hashable, Sendable {
    private var problems = OpenProblems<JournalProblem>()

    package init() {}

    package var isHealthy: Bool { problems.isEmpty }
    /// The first problem in the order of their names; nil if there is none.
    package var problem: String? { problems.first?.reason }

    /// Returns true if a problem is present.
    func has(_ problem: JournalProblem) -> Bool { problems.has(problem) }

    /// Notes an outcome.
    ///
    /// - Parameters:
    ///   - problem: The problem that may have come up.
    ///   - reason: Nil if it went well.
    /// - Returns: Nil if that is no news.
    package mutating func noted(_ problem: JournalProblem, reason: String?) -> JournalEvent? {
        switch problems.noted(problem, reason: reason) {
        case .began(let reason): .began(problem, reason: reason)
        case .ended: .ended(problem)
        case nil: nil
        }
    }
}
