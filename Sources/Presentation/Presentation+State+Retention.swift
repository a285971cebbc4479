import MediaCore
import Playlists

/// Slots that have left the window, kept for as long as players may fetch them, and the memory of all slots.
extension Presentation.State {
    /// The least number of slots that tell the bit rate of a channel.
    private static let forecastCount = 3

    /// Keeps a slot that has left the window.
    ///
    /// It stays for its duration and that of the longest playlist that listed it (RFC 8216bis § 6.2.2). Counting from
    /// its removal, as with EXT-X-ENDLIST, is never too short.
    mutating func retain(_ slot: ListedSlot, now: MediaTime) {
        let expires = now + slot.longestDuration + slot.longestListing
        for segment in slot.segments.values { resources.setExpiry(segment.line.uri, expires) }
        retained.append(RetainedSlot(slot: slot, expires: expires))
        retainedBytes += window.byteCountInMemory(of: slot)
    }

    /// Returns true if a slot is to be dropped, or was and consumers have not been told.
    func hasExpired(by now: MediaTime) -> Bool {
        !expired.slots.isEmpty || retained.first.map { $0.expires <= now } ?? false
    }

    /// Drops expired slots, in the order in which they left the window.
    mutating func dropExpired(now: MediaTime) {
        while let oldest = retained.first, oldest.expires <= now { dropOldest() }
    }

    /// The most bytes of listed segments in memory: the limit less playlists, initialization sections and parts.
    var maximumListedBytes: Int {
        max(0, configuration.maximumBytes - max(0, bytesInMemory - window.byteCountInMemory - retainedBytes))
    }

    /// All bytes that count against the limit.
    var bytesInMemory: Int { timelines.values.reduce(resources.bytes) { $0 + $1.parts.byteCount } }

    mutating func noteStored(_ slot: ListedSlot, _ isStored: Bool) {
        window.noteStored(slot, isStored)
        let isListed = window.first.map { $0.number <= slot.number } ?? false
        if isStored, !isListed { retainedBytes -= slot.byteCount }
    }

    var memoryUse: MemoryUse {
        var use = MemoryUse(
            bytes: bytesInMemory,
            limit: configuration.maximumBytes,
            droppedEarly: totals.droppedEarly
        )
        let length = window.sums.duration
        // With fewer slots, the first segments of an encoder predict little about later ones.
        guard window.slots.count >= Self.forecastCount, length > .zero else { return use }
        let rate = Double(window.sums.byteCount) / length.seconds
        // If a store takes older slots, only the newest have to be in memory.
        let newest = configuration.segmentDuration * Int64(Window.minimumCount)
        let listed = isStoring ? min(newest, configuration.windowDuration) : configuration.windowDuration
        use.windowBytes = Int(rate * listed.seconds)
        // A slot that has left the window stays for its duration and the playlist's.
        let all = isStoring ? listed : configuration.windowDuration * 2 + configuration.segmentDuration
        use.allBytes = Int(rate * all.seconds)
        if isShortened { use.shortenedTo = length }
        return use
    }

    /// Drops retained slots, oldest first, until the budget holds; the listed slots were made to fit before.
    mutating func dropBeyondBudget() {
        while bytesInMemory > configuration.maximumBytes, let oldest = retained.first {
            totals.droppedEarly += oldest.slot.segments.values.count { !$0.line.isGap }
            dropOldest()
        }
    }

    private mutating func dropOldest() {
        guard let slot = retained.first?.slot else { return }
        retained.removeFirst(1)
        retainedBytes -= window.byteCountInMemory(of: slot)
        window.forgetStored(slot.number)
        expired.slots.append(slot.number)
        for segment in slot.segments.values {
            keyNumbers.remove(segment.mediaNumber)
            for path in [segment.line.uri, segment.line.map?.uri].compactMap(\.self) {
                if resources.release(path) { expired.paths.append(path) }
            }
        }
    }
}
