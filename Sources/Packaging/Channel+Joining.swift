import Logging
package import MediaCore
package import Presentation
import Synchronization
import Timeline

/// Coming back to a pair.
extension Channel {
    /// How long after the end of its newest slot a twin still counts as alive, and how long it is waited for.
    private var patience: MediaTime { MediaTime(seconds: 5) + configuration.grid.slotDuration * 4 }

    /// Lists again what an earlier run, or a peer, has published.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    package func restore(_ window: RestoredWindow) -> Int {
        let count = presentation.restore(window, now: clock.now)
        if let newest = window.window.lastNumber, count > 0 {
            endpoint.restored(until: configuration.grid.start(of: newest.next))
        }
        return count
    }

    /// Whether it makes sense to wait for what a twin publishes.
    ///
    /// By the clock of arrival no two packagers cut alike: there is no slot from which on they agree.
    package func canJoin(_ window: SavedWindow, at now: MediaTime) -> Bool {
        guard configuration.clock != .arrival, configuration.isPaced else { return false }
        return window.lastNumber.map { now < configuration.grid.start(of: $0.next) + patience } ?? true
    }

    /// Publishes nothing until it can go on with what a twin publishes, or has waited for that too long.
    ///
    /// To be called before any input is read.
    ///
    /// - Parameter window: The twin's window as it is now.
    package func beginJoining(_ window: RestoredWindow) {
        state.withLock { state in
            begin(after: window.window, &state)
            state.joining = Joining(window: window, patience: patience)
        }
        snapshot.withLock { $0.isJoining = true }
    }

    /// What is known of the twin while it is waited for; nil once it is not.
    package var windowOfTwin: RestoredWindow? {
        isStopped.load(ordering: .relaxed) ? nil : state.withLock { $0.joining?.window }
    }
    package var isJoining: Bool { snapshot.withLock { $0.isJoining } }

    /// The twin has published more.
    ///
    /// - Parameter window: All that it lists.
    package func twinPublished(_ window: RestoredWindow) {
        state.withLock { state in
            state.joining?.window = window
            if state.joining?.isReady == true { finishJoining(&state) }
        }
    }

    /// Goes on without the twin where it was waited for too long.
    func checkJoining(_ state: inout State, at now: MediaTime) {
        guard !isStopped.load(ordering: .relaxed), state.joining?.isOverdue(at: now) == true else { return }
        logger.warning("peer", metadata: ["problem": "no slot is whole here and there: going on without it"])
        finishJoining(&state)
    }

    /// Takes over what the twin lists, and publishes from there on.
    func finishJoining(_ state: inout State) {
        guard let joining = state.joining else { return }
        state.joining = nil
        defer { snapshot.withLock { $0.isJoining = false } }
        let window = joining.window.window
        if let newest = window.lastNumber {
            // Without a sign of its own inputs nothing says yet where its slots begin: after the peer's.
            if restore(joining.window) > 0, state.plans.isEmpty { begin(after: window, &state) }
            note(.restored, "The peer's window up to slot \(newest) was taken over.", slot: newest)
        }
        for (place, rendition) in state.restored {
            state.restored[place]?.fingerprint = window.edge(of: rendition.description.id)?.fingerprint
        }
        state.newestOfTwin = window.lastNumber
        state.mustDeclare = true
        state.restoreSelection(window)
        publish(joining.slots, &state)
    }
}
