/// A part of a track's segment, final before the slot is.
package struct SlotPart: Sendable {
    package var track: TrackIndex
    /// Counted from 0 in each slot.
    package var index: Int
    /// The media of the part; empty if it is a gap.
    package var cut: CutSegment
    /// True if every rendition begins the slot with EXT-X-DISCONTINUITY; set for the first part of each.
    package var startsDiscontinuity = false
    /// The tags that it carries; nil if the feed never has any.
    var tags: [TimedTag]?
    /// True if no part of its slot follows.
    var isLast = false
}
