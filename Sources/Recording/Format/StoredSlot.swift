import MediaCore
import Playlists
import Presentation

/// A slot with the places of its segments in the files of its block.
struct StoredSlot: Hashable, Sendable {
    var slot: ListedSlot
    /// The offset of each segment that is not a gap.
    var offsets: [RenditionID: Int] = [:]

    /// The most bytes of a segment: an index that says more is damaged.
    static let longestSegment = 1 << 30

    /// The paths of the initialization sections that its lines name.
    var maps: some Sequence<String> { slot.segments.values.lazy.compactMap(\.line.map?.uri) }

    /// The ends of its segments in the files of their renditions.
    var ends: [RenditionID: Int] {
        offsets.reduce(into: [:]) { ends, offset in
            ends[offset.key] = offset.value + (slot.segments[offset.key]?.byteCount ?? 0)
        }
    }
}

extension ListedSegment {
    /// Makes a segment a gap.
    mutating func lose() {
        line.isGap = true
        (byteCount, entityTag, iFrame, filler) = (0, nil, nil, nil)
    }
}
