import MediaCore

/// The present problems of a directory of published files, and the decision to report them.
package struct MirrorHealth: Hashable, Sendable {
    private var problems = OpenProblems<MirrorProblem>()

    package var isHealthy: Bool { problems.isEmpty }
    /// The first problem in the order of their names, as a sentence; nil if there is none.
    package var problem: String? { problems.first.map { $0.problem.beginning($0.reason) } }

    /// Notes an outcome.
    ///
    /// - Parameters:
    ///   - problem: The problem that may have come up.
    ///   - reason: Nil if it went well.
    /// - Returns: Nil if that is no news.
    mutating func noted(_ problem: MirrorProblem, reason: String?) -> MirrorEvent? {
        switch problems.noted(problem, reason: reason) {
        case .began(let reason): .began(problem, reason: reason)
        case .ended: .ended(problem)
        case nil: nil
        }
    }
}
