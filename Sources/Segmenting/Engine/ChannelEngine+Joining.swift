import Logging
package import MediaCore
import Operations
import Timeline

/// Coming back to a pair.
extension ChannelEngine {
    /// How long after the end of its newest slot a peer still counts as alive, and how long it is waited for.
    private var patience: MediaTime { MediaTime(seconds: 5) + configuration.grid.slotDuration * 4 }

    package var isJoining: Bool { joining != nil }

    /// The first slot ever listed, here, where this goes on from or by a peer; nil if none was.
    package var firstNumber: MediaSequenceNumber? { ledger.first }

    /// Whether it makes sense to wait for what a peer publishes.
    ///
    /// By the clock of arrival no two packagers cut alike: there is no slot from which on they agree.
    ///
    /// - Parameters:
    ///   - newest: The newest slot that it has published; nil if there is none.
    ///   - now: UTC.
    /// - Returns: Whether there is a slot to come that both can have whole.
    package func canJoin(after newest: MediaSequenceNumber?, at now: MediaTime) -> Bool {
        guard configuration.clock != .arrival, configuration.isPaced else { return false }
        return newest.map { now < configuration.grid.start(of: $0.next) + patience } ?? true
    }

    /// Publishes nothing until it can go on with what a peer publishes, or has waited for that too long.
    mutating func beginJoining(_ window: PublishedWindow) {
        begin(after: window)
        segmenter.restore(boundaries: window.splicePlan.boundaries)
        joining = Joining(window: window, patience: patience)
    }

    /// The peer has published more.
    mutating func peerPublished(_ window: PublishedWindow) {
        joining?.window = window
        // Its slots and this one's shall begin alike, whoever has heard of what.
        if joining != nil { segmenter.restore(boundaries: window.splicePlan.boundaries) }
        if isReadyToJoin { finishJoining() }
    }

    /// Whether what comes next begins here where it begins there.
    ///
    /// A peer that was there before may have heard of a splice that is not told of any more.
    var isReadyToJoin: Bool {
        guard let joining, joining.isReady else { return false }
        guard let slot = joining.slots.first(where: { $0.number == joining.window.newest }) else { return false }
        guard let edge = renditions[segmenter.leader.value].id.flatMap({ joining.window.edges[$0] }),
            let cut = slot.segments[segmenter.leader.value]
        else { return true }
        return abs((cut.end.utc - MediaTime(edge.end, timescale: edge.timescale)).ticks) < Self.sameEnd.ticks
    }

    /// Less than a frame.
    private static let sameEnd = MediaTime(milliseconds: 10)

    /// Goes on without the peer where it was waited for too long.
    mutating func checkJoining() {
        guard joining?.isOverdue(at: now) == true else { return }
        log(.warning, "peer", ["problem": "no slot is whole here and there: going on without it"])
        finishJoining()
    }

    /// Takes over what the peer lists, and publishes from there on.
    mutating func finishJoining() {
        guard let joining else { return }
        self.joining = nil
        let window = joining.window
        if let newest = window.newest {
            // Nothing was decided so far that could wait for keys.
            emit(.takeOverPeer(at: now))
            var listed = window
            listed.isListed = window.expires.map { $0 > now } ?? false
            ledger.restore(listed)
            // Without a sign of its own inputs nothing says yet where its slots begin: after the peer's.
            if renditions.isEmpty, listed.isListed { begin(after: window) }
            note(.restored, "The peer's window up to slot \(newest) was taken over.", slot: newest)
            tellRestored(upTo: newest, from: "the peer")
        }
        newestBefore = window.newest
        mustDeclare = true
        restoreSelection(window)
        restoreProgramme(window)
        for cue in joining.splices { _ = programme.received(cue) }
        decide(joining.slots)
        tell(joining.parts)
    }
}
