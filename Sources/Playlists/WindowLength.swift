package import MediaCore

/// A slot that playlists may list.
package protocol WindowSlot {
    associatedtype Renditions: Sequence<RenditionID>

    /// The shortest of its segments, which every playlist gains at least.
    var duration: MediaTime { get }
    /// The renditions that have a segment or a gap in it.
    var renditions: Renditions { get }
    /// True if every rendition has media: Shaka Player refuses a playlist of gaps, and stalls at a leading one.
    var canLead: Bool { get }

    /// True if a rendition has a gap in it.
    func isGap(of id: RenditionID) -> Bool
}

/// The length of the playlists of a live stream.
package struct WindowLength: Hashable, Sendable {
    /// The least duration that playlists list, once there is as much, unless one would begin with a gap.
    package var duration: MediaTime
    /// EXT-X-TARGETDURATION, in seconds.
    package var targetDuration: Int

    /// Apple's authoring specification § 8.11: a live playlist has at least six segments.
    package static let minimumCount = 6
    /// RFC 8216bis § 6.2.2: no segment is removed if less than three target durations would remain.
    package static let minimumTargetDurations: Int64 = 3

    package init(duration: MediaTime, targetDuration: Int) {
        self.duration = duration
        self.targetDuration = targetDuration
    }

    /// Counts the slots that have to leave the head.
    ///
    /// - Parameters:
    ///   - slots: All listed slots, oldest first.
    ///   - total: The sum of their durations.
    ///   - hasMedia: Returns true if a rendition has a segment in any of them.
    ///   - isTooMuch: Returns true if memory is short with a slot and those that follow; called from the oldest slot
    ///     on. The slot is then removed, as long as enough segments remain for players.
    /// - Returns: The number of slots.
    package func surplus<Slots: RandomAccessCollection>(
        of slots: Slots,
        lasting total: MediaTime,
        hasMedia: (RenditionID) -> Bool,
        isTooMuch: (Slots.Element) -> Bool = { _ in false }
    ) -> Int where Slots.Element: WindowSlot, Slots.Index == Int {
        let removable = slots.count - leastCount(of: slots)
        // The most slots that may go to keep playlists from beginning with a gap.
        let most = max(0, min(removable, slots.count - Self.minimumCount))
        var remaining = total
        var count = 0
        while count < removable {
            let slot = slots[slots.startIndex + count]
            remaining -= slot.duration
            let isHeavy = isTooMuch(slot)
            guard count < most && remaining >= duration || isHeavy else { break }
            count += 1
        }
        let heads = slots.dropFirst(count).prefix(max(most, count) - count + 1)
        return count + leadingGaps(heads, hasMedia)
    }

    /// Counts the newest slots that together last three target durations; all slots, if they are shorter.
    private func leastCount<Slots: RandomAccessCollection>(of slots: Slots) -> Int where Slots.Element: WindowSlot {
        var rest = MediaTime(seconds: Int64(targetDuration) * Self.minimumTargetDurations)
        for (count, slot) in slots.reversed().enumerated() {
            if rest <= .zero { return count }
            rest -= slot.duration
        }
        return slots.count
    }

    /// Finds the head with which the fewest playlists begin with a gap, at which players stall or never start.
    ///
    /// - Parameters:
    ///   - heads: The slots that the window may begin with, oldest first.
    ///   - hasMedia: As above.
    /// - Returns: The number of slots that have to go.
    private func leadingGaps<Slots: RandomAccessCollection>(
        _ heads: Slots,
        _ hasMedia: (RenditionID) -> Bool
    ) -> Int where Slots.Element: WindowSlot {
        guard let head = heads.first, !head.canLead else { return 0 }
        // A window without media begins with a gap anyway.
        let alive = head.renditions.filter(hasMedia)
        // If no segment has media, the shortest window is enough.
        if alive.isEmpty { return heads.count - 1 }
        var best = (index: 0, gaps: Int.max)
        for (index, slot) in heads.enumerated() where best.gaps > 0 {
            let gaps = alive.count { slot.isGap(of: $0) }
            if gaps < best.gaps { best = (index, gaps) }
        }
        return best.index
    }
}
