/// A part of what one track has for a slot: final before the slot is.
package struct SlotPart: Sendable {
    package var track: TrackIndex
    /// Counted from 0 in each slot.
    package var index: Int
    /// What fills it; nothing where it is a gap.
    package var cut: CutSegment
    /// Whether every rendition begins the slot with EXT-X-DISCONTINUITY; said of the first part of each.
    package var startsDiscontinuity = false
}
