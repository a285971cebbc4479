import MediaCore
import Playlists

/// What a window adds up to, counted as slots come and go.
struct WindowSums: Hashable, Sendable {
    /// The length of every playlist at least.
    private(set) var duration = MediaTime.zero
    /// Bytes of all segments.
    private(set) var byteCount = 0
    private(set) var discontinuities = 0
    /// Segments that cannot be decoded without the one before.
    private(set) var dependentSegments = 0
    private var renditions: [RenditionID: RenditionSums] = [:]

    /// In how many slots a rendition has something.
    struct RenditionSums: Hashable, Sendable {
        /// A segment or a gap.
        fileprivate(set) var segments = 0
        /// A segment: media of the feed, or what stands in for it.
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
