import Presentation

/// Decides what is said of a channel's memory: each step from bad to worse once, and that it is over.
struct MemoryWatch: Sendable {
    private var said: MemoryUse.Shortage?

    enum News: Hashable, Sendable {
        case scarce(String)
        case enough
    }

    /// - Returns: Nil where there is no news.
    mutating func observe(_ use: MemoryUse) -> News? {
        guard let shortage = use.shortage, let problem = use.problem else {
            // The rate goes up and down: a limit that is just met is not yet the end of it.
            guard said != nil, let all = use.allBytes, all < use.limit - use.limit / 10 else { return nil }
            said = nil
            return .enough
        }
        if let said, said >= shortage { return nil }
        said = shortage
        return .scarce(problem)
    }
}
