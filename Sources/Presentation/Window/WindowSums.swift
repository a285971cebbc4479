import MediaCore
import Playlists

/// The sums over a window, counted as slots come and go.
struct WindowSums: Hashable, Sendable {
    /// The least length of every playlist.
    private(set) var duration = MediaTime.zero
    /// The bytes of all segments.
    private(set) var byteCount = 0
    private(set) var discontinuities = 0
    /// The number of segments that cannot be decoded without the one before.
    private(set) var dependentSegments = 0
    private var renditions: [RenditionID: RenditionSums] = [:]

    /// The number of slots in which a rendition has a segment or a gap.
    struct RenditionSums: Hashable, Sendable {
        /// The number of slots with a segment or a gap.
        fileprivate(set) var segments = 0
        /// The number of slots with a segment: media of the feed, or its replacement.
        fileprivate(set) var listedMedia = 0
    }

    subscript(id: RenditionID) -> RenditionSums { renditions[id] ?? RenditionSums() }

    mutating func add(_ slot: ListedSlot) { count(slot, 1) }
    mutating func remove(_ slot: ListedSlot) { count(slot, -1) }

    private mutating func count(_ slot: ListedSlot, _ times: Int) {
        duration += slot.duration * Int64(times)
        byteCount += slot.byteCount * times
        if slot.startsDiscontinuity { discontinuities += times }
        for (id, segment) in slot.segments {
            if !segment.isIndependent { dependentSegments += times }
            var sums = self[id]
            sums.segments += times
            if !segment.line.isGap { sums.listedMedia += times }
            renditions[id] = sums.segments == 0 ? nil : sums
        }
    }
}
