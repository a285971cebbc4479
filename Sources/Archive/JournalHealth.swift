/// What is wrong with a journal now, and what is worth telling of it.
package struct JournalHealth: Hashable, Sendable {
    private var problems: [JournalProblem: String] = [:]

    package init() {}

    package var isHealthy: Bool { problems.isEmpty }
    /// What is wrong in the first place; nil if nothing is.
    package var problem: String? { problems.min { $0.key.rawValue < $1.key.rawValue }?.value }

    /// Takes note of how something went.
    ///
    /// - Parameters:
    ///   - problem: What may have gone wrong.
    ///   - reason: Nil where it went well.
    /// - Returns: Nil if that is no news.
    package mutating func noted(_ problem: JournalProblem, reason: String?) -> JournalEvent? {
        let before = problems[problem]
        problems[problem] = reason
        switch (before, reason) {
        case (nil, let reason?): return .began(problem, reason: reason)
        case (.some, nil): return .ended(problem)
        case (nil, nil), (.some, .some): return nil
        }
    }
}
