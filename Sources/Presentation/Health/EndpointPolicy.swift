package import MediaCore

/// The conditions that make a channel fail closed: playlists are withheld, media is not.
package struct EndpointPolicy: Hashable, Sendable {
    /// The age of the last publication beyond which ``FailureCondition/stale`` holds.
    package var staleAfter: MediaTime
    package var failOn: Set<FailureCondition>

    package init(staleAfter: MediaTime = .zero, failOn: Set<FailureCondition> = []) {
        self.staleAfter = staleAfter
        self.failOn = failOn
    }

    /// The age at which an answer of the peer no longer shows its present health.
    private static let patience = MediaTime(seconds: 3)

    /// Decides if the channel may be served.
    ///
    /// Failing helps viewers only if another packager does better. A member of a pair fails only while its peer is
    /// known to do better; a packager without a peer fails whenever a condition holds.
    ///
    /// - Parameters:
    ///   - state: The last known state of the channel.
    ///   - now: The time now, in UTC; time alone makes a channel stale, so that a pipeline that hangs is seen, too.
    /// - Returns: The conditions of ``failOn`` that hold, in the order in which they are declared.
    package func failures(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        let faults = faults(state, now: now)
        guard !faults.isEmpty, let peer = state.peer else { return faults }
        guard let health = peer.health, now - peer.heard <= Self.patience else { return [] }
        let own = faults + conditions(state, now: now)
        return isBetter(health, than: own, state) ? faults : []
    }

    /// The conditions of ``failOn`` that hold, whatever the health of the peer.
    func faults(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        if failOn.isEmpty { return [] }
        return FailureCondition.allCases.filter { failOn.contains($0) && holds($0, state, now) }
    }

    /// All conditions that hold except ``FailureCondition/stale``, which depends on the configured age.
    func conditions(_ state: EndpointState, now: MediaTime) -> [FailureCondition] {
        FailureCondition.allCases.filter { $0 != .stale && holds($0, state, now) }
    }

    /// Returns true if viewers get more from the peer.
    private func isBetter(_ peer: PeerHealth, than own: [FailureCondition], _ state: EndpointState) -> Bool {
        guard let slot = peer.slot else { return false }
        let newest = state.newestSlot?.value ?? slot - 1
        // A peer that publishes a slot a moment later still counts as current. If this packager is stale, the peer must
        // be ahead.
        guard own.contains(.stale) ? slot > newest : slot >= newest - 1 else { return false }
        // Conditions outside ``failOn`` count, too: viewers are not sent to a peer whose stream lacks keys.
        let worst = { (conditions: [FailureCondition]) in conditions.map(\.severity).max() ?? 0 }
        return worst(peer.conditions) < worst(own)
    }

    private func holds(_ condition: FailureCondition, _ state: EndpointState, _ now: MediaTime) -> Bool {
        switch condition {
        // An ended playlist is complete, however old; one that has not begun is not served.
        case .stale: !state.isEnded && state.lastPublication.map { now - $0 > staleAfter } ?? false
        case .incomplete: !state.isEnded && state.isIncomplete
        case .slate: !state.isEnded && state.hasFiller
        case .noKey: !state.hasKeys
        }
    }
}
