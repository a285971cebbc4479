import MediaCore

/// Lets one occurrence of each kind through in a period, and counts the others.
struct OccurrenceLimit<Kind: Hashable & Sendable>: Sendable {
    private struct State {
        var reportedAt: MediaTime
        var suppressed = 0
    }

    private let period: MediaTime
    private var states: [Kind: State] = [:]

    /// The most kinds counted separately within a period.
    private static var capacity: Int { 256 }

    init(period: MediaTime) {
        self.period = period
    }

    /// Notes an occurrence.
    ///
    /// - Returns: The number suppressed since the last one that was let through; nil if this one is suppressed.
    mutating func admit(_ kind: Kind, at now: MediaTime) -> Int? {
        if let state = states[kind], isRecent(state, now) {
            states[kind]?.suppressed += 1
            return nil
        }
        if states[kind] == nil, states.count >= Self.capacity {
            states = states.filter { isRecent($0.value, now) }
            guard states.count < Self.capacity else { return nil }
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
