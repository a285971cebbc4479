import MediaCore

/// The return of a packager to its pair.
///
/// The packager starts in the middle of a slot that its peer has whole, so it waits until it has a whole slot itself.
/// It takes all slots up to that one from its peer and continues from there: both publish the same segments. Until then
/// it has no playlists, and the peer serves all viewers.
struct Joining: Sendable {
    /// The newest window that was received from the peer.
    var window: PublishedWindow
    /// The time for which the peer is waited for.
    let patience: MediaTime
    /// The end of the wait, in UTC; nil before anything is read.
    private var deadline: MediaTime?
    /// The slots that were cut while joining.
    private(set) var slots: [Slot] = []
    /// The splices received while joining.
    var splices: [ReceivedCue] = []
    /// The parts of these slots, and of the one after them, that are final.
    private(set) var parts: [SlotPart] = []

    init(window: PublishedWindow, patience: MediaTime) {
        self.window = window
        self.patience = patience
    }

    /// True if the peer lists a slot that is also whole here.
    ///
    /// The next slot then begins with the same samples on both sides. Tracks that have had no media are not waited for.
    var isReady: Bool {
        guard let newest = window.newest else { return false }
        let whole = slots.first { slot in
            let segments = slot.segments.compactMap(\.self)
            return !segments.isEmpty && segments.allSatisfy(\.isWhole)
        }
        return whole.map { $0.number <= newest } ?? false
    }

    mutating func add(_ slots: [Slot], _ parts: [SlotPart]) {
        self.slots += slots
        self.parts += parts
        // The peer has published them.
        if let newest = window.newest { self.parts.removeAll { $0.cut.number <= newest } }
    }

    /// Advances the time.
    ///
    /// - Returns: True if the peer was waited for too long.
    mutating func isOverdue(at now: MediaTime) -> Bool {
        deadline = deadline ?? now + patience
        return deadline.map { now >= $0 } ?? false
    }
}
