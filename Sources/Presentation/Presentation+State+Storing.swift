import MediaCore
import Playlists

/// Segments that a store holds, so that they need not be in memory.
extension Presentation.State {
    /// Takes segments out of memory, the oldest first, until a quarter of the limit is free; the newest slots stay.
    ///
    /// The free memory leaves room for slots to come while the store is behind. Where no media is to stay in memory,
    /// segments leave it in the order in which the store gets them.
    mutating func moveToStore() {
        guard let store else { return }
        let limit = configuration.keepsMediaInMemory ? configuration.maximumBytes / 4 * 3 : 0
        while bytesInMemory > limit, let slot = oldestInMemory {
            var isStored = true
            for path in slot.mediaPaths {
                guard let holds = store.holds(path) else { return }
                if !holds { isStored = false }
            }
            if isStored {
                for path in slot.mediaPaths { resources.move(path, to: store) }
            }
            noteStored(slot, isStored)
        }
    }

    /// True if the store has proved able to serve slots older than the newest ones.
    var isStoring: Bool {
        guard store != nil else { return false }
        if bytesInMemory <= configuration.maximumBytes / 8 * 7 { return true }
        return oldestInMemory == nil && (window.stored.last.map(window.stored.contains) ?? true)
    }

    /// The slot to be moved to the store next.
    private var oldestInMemory: ListedSlot? {
        let last = window.stored.last
        func isNext(_ slot: ListedSlot) -> Bool { last.map { $0 < slot.number } ?? true }
        if let newest = retained.last, isNext(newest.slot) { return retained.first { isNext($0.slot) }?.slot }
        // A store gets slots that were told in parts after viewers do.
        let keepsNewest = configuration.keepsMediaInMemory || lowLatency != nil
        let listed = window.slots.dropLast(keepsNewest ? Window.minimumCount : 0)
        guard let last, let head = listed.first?.number, head <= last else { return listed.first }
        return listed.dropFirst(Int(last.value - head.value) + 1).first
    }
}

extension ListedSlot {
    /// The paths of the segments that are not gaps.
    var mediaPaths: [String] { segments.values.filter { !$0.line.isGap }.map(\.line.uri) }
}
