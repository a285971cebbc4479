import Atomics
package import MediaCore
package import Playlists
import Synchronization

/// Whether the public face of one channel may be served: it follows what is published, and is asked at every request for a
/// playlist.
///
/// All decisions are in ``EndpointPolicy``; this is what it decides on. Asking takes no lock.
package final class EndpointHealth: Sendable {
    private final class Seen: AtomicReference, Sendable {
        let state: EndpointState

        init(_ state: EndpointState) {
            self.state = state
        }
    }

    /// What decides.
    package let endpointPolicy: EndpointPolicy
    private let current = Mutex(EndpointState())
    /// The same, for those who ask.
    private let seen = ManagedAtomic(Seen(EndpointState()))

    /// - Parameters:
    ///   - policy: What decides.
    ///   - hasPeer: Whether there is another packager to be asked how it does.
    package init(policy: EndpointPolicy = EndpointPolicy(), hasPeer: Bool = false) {
        endpointPolicy = policy
        if hasPeer { change { $0.peer = EndpointState.Peer() } }
    }

    package var state: EndpointState { seen.load(ordering: .acquiring).state }

    private func change(_ body: (inout EndpointState) -> Void) {
        current.withLock { state in
            body(&state)
            seen.store(Seen(state), ordering: .releasing)
        }
    }

    /// The conditions that hold now, of those on which the channel fails; `now` is UTC.
    package func failures(now: MediaTime) -> [FailureCondition] {
        endpointPolicy.failures(state, now: now)
    }

    /// What the peer of this packager is told.
    ///
    /// - Parameters:
    ///   - meters: What its presentation has measured.
    ///   - first: The first slot that was ever published.
    ///   - now: UTC.
    /// - Returns: Enough for it to see which of the two does better, and to declare the same.
    package func report(
        meters: [RenditionID: BandwidthMeter],
        first: MediaSequenceNumber?,
        now: MediaTime
    ) -> PeerHealth {
        let (state, conditions) = (state, endpointPolicy.conditions(state, now: now))
        return PeerHealth(slot: state.newestSlot?.value, first: first?.value, conditions: conditions, meters: meters)
    }

    /// Whether the peer has to be asked how it does, because the channel would fail without one.
    package func mustAskPeer(now: MediaTime) -> Bool {
        let state = state
        return state.peer != nil && !endpointPolicy.faults(state, now: now).isEmpty
    }

    /// The peer was asked how it does; `health` is nil where it does not answer, or need not be asked any more.
    package func peerAnswered(_ health: PeerHealth?, now: MediaTime) {
        change { $0.peer = EndpointState.Peer(health: health, heard: now) }
    }

    /// A slot became visible.
    ///
    /// - Parameters:
    ///   - slot: With all its renditions.
    ///   - withdrawn: Those of them that no input has any more.
    ///   - now: UTC.
    package func slotPublished(_ slot: PublishedSlot, withdrawn: Set<RenditionID> = [], now: MediaTime) {
        change { $0.slotPublished(slot, withdrawn: withdrawn, now: now) }
    }

    /// What an earlier process, or a peer, has published is listed again.
    ///
    /// - Parameter end: UTC of its end.
    package func restored(until end: MediaTime) {
        change { $0.restored(until: end) }
    }

    /// No slot will follow.
    package func ended() {
        change { $0.isEnded = true }
    }

    /// Says whether keys can be given out.
    package func setKeys(available: Bool) {
        change { $0.hasKeys = available }
    }

    /// States the channel's health, 0 to 100.
    package func setScore(_ score: Int) {
        change { $0.score = score }
    }
}

extension EndpointHealth: PublicationConsumer {
    package var name: String { "endpoint" }
    package var policy: ConsumerPolicy { .observes }
    package var interest: Publication.Kinds { [.window, .slots, .passedOver, .ended] }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .window(let snapshot): if let end = snapshot.end { restored(until: end) }
            case .slots(let slots) where !slots.isBridge: published(slots.slots.last, now: slots.publishedAt)
            case .passedOver(let slots): published(slots.slots.last, now: slots.publishedAt)
            case .ended: ended()
            default: break
            }
        }
        return .done
    }

    private func published(_ newest: PublishedSlot?, now: MediaTime) {
        guard let newest else { return }
        setKeys(available: !newest.lacksKeys)
        slotPublished(newest, withdrawn: newest.withdrawn, now: now)
    }
}
