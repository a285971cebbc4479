import Logging
package import MediaCore
import Operations
import Timeline

/// Return of a packager to its pair.
extension ChannelEngine {
    /// The time after the end of its newest slot for which a peer counts as alive, and for which it is waited for.
    private var patience: MediaTime { MediaTime(seconds: 5) + configuration.grid.slotDuration * 4 }

    package var isJoining: Bool { joining != nil }

    /// The first slot ever listed, here, in the window that this continues from, or by a peer; nil if none was.
    package var firstNumber: MediaSequenceNumber? { ledger.first }

    /// Returns true if waiting for a peer makes sense.
    ///
    /// By the clock of arrival, no two packagers cut alike, so no slot exists from which on they agree.
    ///
    /// - Parameters:
    ///   - newest: The newest slot that it has published; nil if there is none.
    ///   - now: The time now, in UTC.
    /// - Returns: True if both can have a later slot whole.
    package func canJoin(after newest: MediaSequenceNumber?, at now: MediaTime) -> Bool {
        guard configuration.clock != .arrival, configuration.isPaced else { return false }
        return newest.map { now < configuration.grid.start(of: $0.next) + patience } ?? true
    }

    /// Publishes nothing until it can continue from the slots of a peer, or has waited too long.
    mutating func beginJoining(_ window: PublishedWindow) {
        begin(after: window)
        segmenter.restore(boundaries: window.splicePlan.boundaries)
        joining = Joining(window: window, patience: patience)
    }

    /// Takes the window of the peer, which has published more slots.
    mutating func peerPublished(_ window: PublishedWindow) {
        if let before = joining?.window { withdrawBoundaries(of: before, missingIn: window) }
        joining?.window = window
        // Its slots and this one's must begin alike, whichever of them has received a splice.
        if joining != nil {
            segmenter.restore(boundaries: window.splicePlan.boundaries)
            // They end alike only if they are of one input.
            restoreSelection(window)
        }
        if isReadyToJoin { finishJoining() }
    }

    /// Returns boundaries to the grid that the peer has withdrawn since its last window.
    private mutating func withdrawBoundaries(of before: PublishedWindow, missingIn window: PublishedWindow) {
        let missing = Set(before.splicePlan.boundaries).subtracting(window.splicePlan.boundaries)
        // Those of slots that it has published are no longer in its plan.
        withdraw(
            missing.filter { time in window.newest.map { segmenter.plan.slot(at: time) > $0 } ?? false },
            heard: .zero,
            of: nil
        )
    }

    /// True if the next slot begins at the same time here and at the peer.
    ///
    /// The peer may have received a splice that the feed no longer announces.
    var isReadyToJoin: Bool {
        guard let joining, joining.isReady else { return false }
        guard let slot = joining.slots.first(where: { $0.number == joining.window.newest }) else { return false }
        guard let edge = renditions[segmenter.leader].id.flatMap({ joining.window.edges[$0] }),
            let cut = slot.segments[segmenter.leader.value]
        else { return true }
        return abs((cut.end.utc - MediaTime(edge.end, timescale: edge.timescale)).ticks) < Self.sameEnd.ticks
    }

    /// The largest difference of equal ends, less than a frame.
    private static let sameEnd = MediaTime(milliseconds: 10)

    /// Continues without the peer if the wait was too long.
    mutating func checkJoining() {
        guard joining?.isOverdue(at: now) == true else { return }
        let metadata: Logger.Metadata = [
            "viewers": "they may get a gap where this packager continues",
            "do": "check the clocks, and that both packagers get the whole feed",
        ]
        log(.warning, "started without the peer: no slot agrees", metadata)
        finishJoining()
    }

    /// Takes over the window of the peer, and publishes from there on.
    mutating func finishJoining() {
        guard let joining else { return }
        self.joining = nil
        let window = joining.window
        if let newest = window.newest {
            // No decision waits for keys yet.
            emit(.takeOverPeer(at: now))
            var listed = window
            listed.isListed = window.expires.map { $0 > now } ?? false
            ledger.restore(listed)
            // Before its inputs have tracks, the packager does not know where its slots start; they follow the peer's.
            if renditions.isEmpty, listed.isListed { begin(after: window) }
            note(.restored, "The peer's window up to slot \(newest) was taken over.", slot: newest)
            logRestored(upTo: newest, from: "the peer")
        }
        ledger.newestBefore = window.newest
        // Parts of the slot after it may be here already, before a slot of this packager has declared anything.
        if let newest = window.newest, let slot = joining.slots.last(where: { $0.number <= newest }) {
            nameRenditions(of: slot)
        }
        renditions.mustDeclare = true
        restoreSelection(window)
        restoreProgramme(window)
        for cue in joining.splices { hear(cue) }
        publish(joining.slots, emitting: joining.parts)
    }
}
