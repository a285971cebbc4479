import Presentation

/// Decides on reports of a channel's memory: each step from bad to worse once, and its end.
struct MemoryWatch: Sendable {
    private var said: MemoryUse.Shortage?

    enum News: Hashable, Sendable {
        case scarce(String)
        case enough
    }

    /// - Returns: The report; nil if there is none.
    mutating func observe(_ use: MemoryUse) -> News? {
        guard let shortage = use.shortage, let problem = use.problem else {
            // The bit rate goes up and down: a limit that is just met is not yet the end of the shortage.
            guard said != nil, let all = use.allBytes, all < use.limit - use.limit / 10 else { return nil }
            said = nil
            return .enough
        }
        if let said, said >= shortage { return nil }
        said = shortage
        return .scarce(problem)
    }
}
