/// Lets one occurrence of each kind through in a period, and counts the others.
package struct OccurrenceLimit<Kind: Hashable & Sendable>: Sendable {
    private struct State {
        var reportedAt: MediaTime
        var suppressed = 0
    }

    private let period: MediaTime
    private let capacity: Int
    private var states: [Kind: State] = [:]

    /// - Parameters:
    ///   - period: The period.
    ///   - capacity: The most kinds that are told apart within a period; beyond them nothing is let through.
    package init(period: MediaTime, capacity: Int = 256) {
        (self.period, self.capacity) = (period, capacity)
    }

    /// Notes an occurrence.
    ///
    /// - Returns: The number suppressed since the last one that was let through; nil if this one is suppressed.
    package mutating func admit(_ kind: Kind, at now: MediaTime) -> Int? {
        if let state = states[kind], isRecent(state, now) {
            states[kind]?.suppressed += 1
            return nil
        }
        if states[kind] == nil, states.count >= capacity {
            states = states.filter { isRecent($0.value, now) }
            guard states.count < capacity else { return nil }
        }
        let suppressed = states[kind]?.suppressed ?? 0
        states[kind] = State(reportedAt: now)
        return suppressed
    }

    /// Returns true within the period of a kind; a clock that was set back begins another period.
    private func isRecent(_ state: State, _ now: MediaTime) -> Bool {
        now >= state.reportedAt && now - state.reportedAt < period
    }
}
