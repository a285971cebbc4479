package import MediaCore

/// Which conditions make the public face of a channel fail closed: playlists are withheld, media is not.
package struct EndpointPolicy: Hashable, Sendable {
    /// How long ago the last publication may be before ``FailureCondition/stale`` holds.
    package var staleAfter: MediaTime
    package var failOn: Set<FailureCondition>

    package init(staleAfter: MediaTime = .zero, failOn: Set<FailureCondition> = []) {
        self.staleAfter = staleAfter
        self.failOn = failOn
    }

    /// Decides whether the channel may be served.
    ///
    /// - Parameters:
    ///   - state: What was last heard of the channel.
    ///   - now: UTC: time alone makes a channel stale, so that a pipeline that hangs is seen, too.
    /// - Returns: The conditions of ``failOn`` that hold, in the order in which they are declared.
    package func failures(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        if failOn.isEmpty { return [] }
        return FailureCondition.allCases.filter { failOn.contains($0) && holds($0, state, now) }
    }

    private func holds(_ condition: FailureCondition, _ state: EndpointState, _ now: MediaTime) -> Bool {
        switch condition {
        // A playlist that has ended is complete as it is, however old; one that has not begun is not served anyway.
        case .stale: !state.isEnded && state.lastPublication.map { now - $0 > staleAfter } ?? false
        case .incomplete: !state.isEnded && state.isIncomplete
        case .slate: !state.isEnded && state.hasFiller
        case .noKey: !state.hasKeys
        }
    }
}
