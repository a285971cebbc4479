import Logging
package import MediaCore
package import Presentation
import Synchronization

/// How a packager comes back to a pair.
///
/// It begins in the middle of a slot that its twin, which was there all the time, has whole. So it publishes nothing
/// before it has a slot of its own that is whole, takes everything up to that from its twin, and goes on from there:
/// what the two publish never differs. While that lasts its playlists are not there, and viewers are its twin's.
struct Joining: Sendable {
    /// What there is to go on with if the twin falls silent.
    var fallback: RestoredWindow
    /// UTC from which on the twin is waited for no longer.
    var deadline: MediaTime
    /// What was cut meanwhile.
    var slots: [Slot] = []

    /// The number of the first slot that is whole.
    var firstWhole: MediaSequenceNumber? {
        slots.first { slot in slot.segments.allSatisfy { $0?.isWhole == true } }?.number
    }
}

extension Channel {
    /// Goes on with what a twin publishes, once this packager can go on without it.
    ///
    /// To be called before any input is read.
    ///
    /// - Parameters:
    ///   - restored: The twin's window as it is now.
    ///   - deadline: UTC; from then on the channel goes on with `restored`, whatever the twin does.
    package func join(_ restored: RestoredWindow, until deadline: MediaTime) {
        state.withLock { begin(after: restored.window, &$0) }
        state.withLock { $0.joining = Joining(fallback: restored, deadline: deadline) }
    }

    package var isJoining: Bool { state.withLock { $0.joining != nil } }

    /// The number of the slot up to which the twin's window has to reach; nil while that cannot be said.
    ///
    /// It is the first that is whole here: the one after it begins where that ends, by the same samples on both sides.
    package var joinsBehind: MediaSequenceNumber? { state.withLock { $0.joining?.firstWhole } }

    /// The twin's window reaches far enough: publishes from its end on.
    package func join(_ restored: RestoredWindow) {
        state.withLock { finishJoining(restored, &$0) }
    }

    /// Goes on without the twin where it was waited for too long.
    func checkJoining(_ state: inout State, at now: MediaTime) {
        guard let joining = state.joining, now >= joining.deadline else { return }
        logger.warning("peer", metadata: ["problem": "its window did not grow: going on without it"])
        finishJoining(joining.fallback, &state)
    }

    private func finishJoining(_ restored: RestoredWindow, _ state: inout State) {
        guard let joining = state.joining else { return }
        state.joining = nil
        let newest = restored.window.lastNumber
        if newest != nil { presentation.restore(restored, now: clock.now) }
        for (place, rendition) in state.restored {
            state.restored[place]?.fingerprint = restored.window.edge(of: rendition.description.id)?.fingerprint
        }
        state.newest = newest
        publish(joining.slots, &state)
        if let newest { note(.restored, "The peer's window up to slot \(newest) was taken over.", slot: newest) }
    }
}
