import MediaCore

/// Slots that follow each other, oldest first, each with the longest playlist that has listed it.
struct ListedSlots: RandomAccessCollection, Hashable, Sendable {
    private var slots = ChunkedQueue<ListedSlot>()
    /// The durations of playlists, each with the last slot that it listed: the longest first, each newer than those
    /// before.
    private var listings: [Listing] = []

    private struct Listing {
        var last: MediaSequenceNumber
        var duration: MediaTime
    }

    var startIndex: Int { slots.startIndex }
    var endIndex: Int { slots.endIndex }

    subscript(position: Int) -> ListedSlot {
        var slot = slots[position]
        if let longest = listings.first(where: { $0.last >= slot.number }) {
            slot.longestListing = Swift.max(slot.longestListing, longest.duration)
        }
        return slot
    }

    mutating func append(_ slot: ListedSlot) { slots.append(slot) }

    mutating func removeFirst(_ count: Int) {
        slots.removeFirst(count)
        guard let first = slots.first?.number else { return listings = [] }
        listings.removeFirst(listings.prefix { $0.last < first }.count)
    }

    /// Notes the duration of a playlist that lists all of them.
    mutating func noteListing(of duration: MediaTime) {
        guard let last = slots.last?.number else { return }
        while let newest = listings.last, newest.duration <= duration { listings.removeLast() }
        if listings.last.map({ $0.last < last }) ?? true { listings.append(Listing(last: last, duration: duration)) }
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.elementsEqual(rhs) }

    func hash(into hasher: inout Hasher) {
        for slot in self { hasher.combine(slot) }
    }
}
