import MediaCore
import Playlists

/// Slots that have left the window, for as long as players may fetch them, and the memory of all.
extension Presentation.State {
    /// Slots from which the rate of a channel can be told.
    private static let forecastCount = 3

    /// Keeps a slot that has left the window.
    ///
    /// RFC 8216bis § 6.2.2: for its duration and that of the longest playlist that listed it. Counting from its
    /// removal, as with EXT-X-ENDLIST, is never too short.
    mutating func retain(_ slot: ListedSlot, now: MediaTime) {
        let expires = now + slot.longestDuration + slot.longestListing
        for segment in slot.segments.values { resources.setExpiry(segment.line.uri, expires) }
        retained.append(RetainedSlot(slot: slot, expires: expires))
        retainedBytes += window.byteCountInMemory(of: slot)
    }

    /// Drops what has expired, in the order in which it left the window.
    mutating func dropExpired(now: MediaTime) {
        while let oldest = retained.first, oldest.expires <= now { dropOldest() }
    }

    /// What listed segments may weigh in memory: the limit less playlists, initialization sections and parts.
    var maximumListedBytes: Int {
        max(0, configuration.maximumBytes - max(0, bytesInMemory - window.byteCountInMemory - retainedBytes))
    }

    /// All that counts against the limit.
    var bytesInMemory: Int { timelines.values.reduce(resources.bytes) { $0 + $1.byteCount } }

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
        // Over fewer slots, what an encoder starts with says little of what follows.
        guard window.slots.count >= Self.forecastCount, length > .zero else { return use }
        let rate = Double(window.sums.byteCount) / length.seconds
        // Where a store takes what is older, only the newest slots have to be in memory.
        let newest = configuration.segmentDuration * Int64(Window.minimumCount)
        let listed = isStoring ? min(newest, configuration.windowDuration) : configuration.windowDuration
        use.windowBytes = Int(rate * listed.seconds)
        // What has left the window stays for its duration and that of the playlist.
        let all = isStoring ? listed : configuration.windowDuration * 2 + configuration.segmentDuration
        use.allBytes = Int(rate * all.seconds)
        if isShortened { use.shortenedTo = length }
        return use
    }

    /// Drops retained slots, oldest first, until the budget holds; what is listed was made to fit before.
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
