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

    /// An answer of the peer that is older says nothing of how it does now.
    private static let patience = MediaTime(seconds: 3)

    /// Decides whether the channel may be served.
    ///
    /// Failing closed helps viewers only where somebody else does better. A member of a pair fails while it knows that
    /// its peer does; one that has no peer is taken at its word.
    ///
    /// - Parameters:
    ///   - state: What was last heard of the channel.
    ///   - now: UTC: time alone makes a channel stale, so that a pipeline that hangs is seen, too.
    /// - Returns: The conditions of ``failOn`` that hold, in the order in which they are declared.
    package func failures(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        let faults = faults(state, now: now)
        guard !faults.isEmpty, let peer = state.peer else { return faults }
        guard let health = peer.health, now - peer.heard <= Self.patience else { return [] }
        let own = faults + conditions(state, now: now)
        return isBetter(health, than: own, state) ? faults : []
    }

    /// The conditions of ``failOn`` that hold, however the peer does.
    func faults(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        if failOn.isEmpty { return [] }
        return FailureCondition.allCases.filter { failOn.contains($0) && holds($0, state, now) }
    }

    /// All conditions that hold but age, which depends on what is called too old.
    func conditions(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        FailureCondition.allCases.filter { $0 != .stale && holds($0, state, now) }
    }

    /// Whether viewers get more from the peer.
    private func isBetter(_ peer: PeerHealth, than own: [FailureCondition], _ state: EndpointState) -> Bool {
        guard let slot = peer.slot else { return false }
        let newest = state.newestSlot?.value ?? slot - 1
        // One that publishes a slot a moment later is not behind; for one that is stale, the peer has to be ahead.
        guard own.contains(.stale) ? slot > newest : slot >= newest - 1 else { return false }
        // What neither fails on is worse for viewers all the same: nobody is sent to a peer whose stream is without keys.
        let worst = { (conditions: [FailureCondition]) in conditions.map(\.severity).max() ?? 0 }
        return worst(peer.conditions) < worst(own)
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
