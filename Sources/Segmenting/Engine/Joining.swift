import MediaCore

/// How a packager comes back to a pair.
///
/// It begins in the middle of a slot that its peer, which was there all the time, has whole. So it publishes nothing
/// before it has a slot of its own that is whole, takes everything up to that from its peer, and goes on from there:
/// what the two publish does not differ. While that lasts its playlists are not there, and viewers are its peer's.
struct Joining: Sendable {
    /// The newest that the peer was heard to list.
    var window: PublishedWindow
    /// How long the peer is waited for.
    let patience: MediaTime
    /// UTC; nil before anything is read.
    private var deadline: MediaTime?
    /// What was cut meanwhile.
    private(set) var slots: [Slot] = []
    /// What was heard of splices meanwhile.
    var splices: [ReceivedCue] = []
    /// What is final of the slot after these, part by part.
    private(set) var parts: [SlotPart] = []

    init(window: PublishedWindow, patience: MediaTime) {
        self.window = window
        self.patience = patience
    }

    /// Whether the peer lists a slot that is whole here, too.
    ///
    /// The one after it begins where that ends, by the same samples on both sides. A track that has had no media is not
    /// waited for.
    var isReady: Bool {
        guard let newest = window.newest else { return false }
        let whole = slots.first { slot in
            let segments = slot.segments.compactMap(\.self)
            return !segments.isEmpty && segments.allSatisfy(\.isWhole)
        }
        return whole.map { $0.number <= newest } ?? false
    }

    mutating func add(_ slots: [Slot]) {
        self.slots += slots
        guard let newest = slots.last?.number else { return }
        parts.removeAll { $0.cut.number <= newest }
    }

    mutating func add(_ parts: [SlotPart]) {
        self.parts += parts
    }

    /// Time went by.
    ///
    /// - Returns: Whether the peer was waited for too long.
    mutating func isOverdue(at now: MediaTime) -> Bool {
        deadline = deadline ?? now + patience
        return deadline.map { now >= $0 } ?? false
    }
}
