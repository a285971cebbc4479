/// The present problems, and the decision to report them.
package struct OpenProblems<Problem: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    private var reasons: [Problem: String] = [:]

    package enum News: Hashable, Sendable {
        case began(reason: String)
        case ended
    }

    package init() {}

    package var isEmpty: Bool { reasons.isEmpty }
    /// The first problem in the order of their names; nil if there is none.
    package var first: (problem: Problem, reason: String)? {
        reasons.min { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// Returns true if a problem is present.
    package func has(_ problem: Problem) -> Bool { reasons[problem] != nil }

    /// Notes an outcome.
    ///
    /// - Parameters:
    ///   - problem: The problem that may have come up.
    ///   - reason: Nil if it went well.
    /// - Returns: Nil if that is no news.
    package mutating func noted(_ problem: Problem, reason: String?) -> News? {
        let before = reasons[problem]
        reasons[problem] = reason
        switch (before, reason) {
        case (nil, let reason?): return .began(reason: reason)
        case (.some, nil): return .ended
        case (nil, nil), (.some, .some): return nil
        }
    }
}
