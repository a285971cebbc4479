import Atomics
package import MediaCore
package import Playlists
import Synchronization

/// Decides if a channel's playlists may be served.
///
/// The object follows the publications, and every request for a playlist asks it.
///
/// All decisions are in ``EndpointPolicy``; this object holds the state for them. Asking takes no lock.
package final class EndpointHealth: Sendable {
    private final class Seen: AtomicReference, Sendable {
        let state: EndpointState

        init(_ state: EndpointState) {
            self.state = state
        }
    }

    /// Decides on the state.
    package let endpointPolicy: EndpointPolicy
    private let current = Mutex(EndpointState())
    /// The state as readers see it, without a lock.
    private let seen = ManagedAtomic(Seen(EndpointState()))
    /// The channel's health, negative until measured: apart from the state, since each answer tells it.
    private let measured = Atomic<Int>(-1)

    /// - Parameters:
    ///   - policy: Decides on the state.
    ///   - hasPeer: True if there is another packager, whose health is asked for.
    package init(policy: EndpointPolicy = EndpointPolicy(), hasPeer: Bool = false) {
        endpointPolicy = policy
        if hasPeer { change { $0.peer = EndpointState.Peer() } }
    }

    package var state: EndpointState { seen.load(ordering: .acquiring).state }

    /// The channel's health, 0 to 100; nil until measured.
    package var score: Int? {
        let score = measured.load(ordering: .relaxed)
        return score < 0 ? nil : score
    }

    private func change(_ body: (inout EndpointState) -> Void) {
        current.withLock { state in
            body(&state)
            seen.store(Seen(state), ordering: .releasing)
        }
    }

    /// The conditions that hold now, of those on which the channel fails; `now` is UTC.
    package func failures(now: MediaTime) -> [FailureCondition] {
        endpointPolicy.failOn.isEmpty ? [] : endpointPolicy.failures(state, now: now)
    }

    /// Returns the report that the peer of this packager gets.
    ///
    /// - Parameters:
    ///   - meters: The bandwidths that its presentation has measured.
    ///   - first: The first slot that was ever published; nil while none was.
    ///   - now: The time now, in UTC.
    /// - Returns: The report, enough for the peer to see which of the two does better, and to declare the same
    ///   bandwidth.
    package func report(
        meters: [RenditionID: BandwidthMeter],
        first: MediaSequenceNumber?,
        now: MediaTime
    ) -> PeerHealth {
        let (state, conditions) = (state, endpointPolicy.conditions(state, now: now))
        return PeerHealth(slot: state.newestSlot?.value, first: first?.value, conditions: conditions, meters: meters)
    }

    /// Returns true if the peer must be asked for its health, because the channel would fail without an answer.
    package func mustAskPeer(now: MediaTime) -> Bool {
        let state = state
        return state.peer != nil && !endpointPolicy.faults(state, now: now).isEmpty
    }

    /// Takes the peer's answer about its health; `health` is nil if the peer does not answer or is no longer asked.
    package func peerAnswered(_ health: PeerHealth?, now: MediaTime) {
        change { $0.peer = EndpointState.Peer(health: health, heard: now) }
    }

    /// Notes a slot that became visible.
    ///
    /// - Parameters:
    ///   - slot: The slot, with all its renditions.
    ///   - withdrawn: Renditions of the slot that no input has any more.
    ///   - now: The time now, in UTC.
    package func slotPublished(_ slot: PublishedSlot, withdrawn: Set<RenditionID> = [], now: MediaTime) {
        change { $0.slotPublished(slot, withdrawn: withdrawn, now: now) }
    }

    /// Notes a restored window, published by an earlier process or by a peer.
    ///
    /// - Parameter end: The end of the window, in UTC.
    package func restored(until end: MediaTime) {
        change { $0.restored(until: end) }
    }

    /// Notes that no slot will follow.
    package func ended() {
        change { $0.isEnded = true }
    }

    /// States if keys can be given out.
    package func setKeys(available: Bool) {
        change { $0.hasKeys = available }
    }

    /// States the channel's health, 0 to 100.
    package func setScore(_ score: Int) {
        measured.store(score, ordering: .relaxed)
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
