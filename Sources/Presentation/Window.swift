import MediaCore
import Playlists

/// The slots that the media playlists list, oldest first.
struct Window: Sendable {
    private(set) var slots: [ListedSlot] = []
    /// The number of the first slot ever listed.
    private(set) var firstNumber: MediaSequenceNumber?
    /// Discontinuities that have left the head.
    private(set) var discontinuitySequence = 0

    /// Apple's authoring specification § 8.11: a live playlist has at least six segments.
    static let minimumCount = 6
    /// RFC 8216bis § 6.2.2: no segment is removed if less than three target durations would remain.
    static let minimumTargetDurations: Int64 = 3

    var isEmpty: Bool { slots.isEmpty }
    var first: ListedSlot? { slots.first }
    var last: ListedSlot? { slots.last }

    mutating func append(_ slot: ListedSlot) {
        firstNumber = firstNumber ?? slot.number
        slots.append(slot)
    }

    /// Removes what the head has too much, and notes how long the rest is.
    ///
    /// - Parameters:
    ///   - windowDuration: What remains at least.
    ///   - targetDuration: Seconds.
    /// - Returns: The removed slots.
    mutating func trim(to windowDuration: MediaTime, targetDuration: Int) -> [ListedSlot] {
        let floor = MediaTime(seconds: Int64(targetDuration) * Self.minimumTargetDurations)
        var remaining = slots.reduce(MediaTime.zero) { $0 + $1.duration }
        var count = 0
        for slot in slots.dropLast(Self.minimumCount) {
            let rest = remaining - slot.duration
            // Players stall at a leading gap: where there is nothing to see in a slot it need not stay.
            guard rest >= floor, rest >= windowDuration || slot.isGap else { break }
            remaining = rest
            count += 1
        }
        let removed = Array(slots.prefix(count))
        slots.removeFirst(count)
        discontinuitySequence += removed.count(where: \.startsDiscontinuity)
        for index in slots.indices { slots[index].longestListing = max(slots[index].longestListing, remaining) }
        return removed
    }

    /// The playlist of a rendition: its segments since it was last absent from a slot; nil if it is absent now.
    func playlist(of id: RenditionID, targetDuration: Int, isEnded: Bool) -> MediaPlaylist? {
        let start = slots.lastIndex { $0.segments[id] == nil }.map { $0 + 1 } ?? 0
        guard start < slots.count else { return nil }
        return MediaPlaylist(
            targetDuration: targetDuration,
            mediaSequence: slots[start].number,
            discontinuitySequence: discontinuitySequence + slots[..<start].count(where: \.startsDiscontinuity),
            segments: slots[start...].compactMap { $0.segments[id]?.line },
            isEnded: isEnded
        )
    }
}
