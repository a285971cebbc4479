package import MediaCore
import Synchronization

/// Whether the public face of one channel may be served: told by the channel, asked at every request for a playlist.
///
/// All decisions are in ``EndpointPolicy``; this is the lock around what it decides on.
package final class EndpointHealth: Sendable {
    package let policy: EndpointPolicy
    private let current = Mutex(EndpointState())

    package init(policy: EndpointPolicy = EndpointPolicy()) {
        self.policy = policy
    }

    package var state: EndpointState { current.withLock { $0 } }

    /// The conditions that hold now, of those on which the channel fails; `now` is UTC.
    package func failures(now: MediaTime) -> [FailureCondition] {
        policy.failures(state, now: now)
    }

    /// A slot became visible; `now` is UTC.
    package func slotPublished(_ slot: PublishedSlot, now: MediaTime) {
        current.withLock { $0.slotPublished(slot, now: now) }
    }

    /// What an earlier process, or a peer, has published is listed again.
    ///
    /// - Parameter end: UTC of its end.
    package func restored(until end: MediaTime) {
        current.withLock { $0.restored(until: end) }
    }

    /// No slot will follow.
    package func ended() {
        current.withLock { $0.isEnded = true }
    }

    /// Says whether keys can be given out.
    package func setKeys(available: Bool) {
        current.withLock { $0.hasKeys = available }
    }

    /// States the channel's health, 0 to 100.
    package func setScore(_ score: Int) {
        current.withLock { $0.score = score }
    }
}
