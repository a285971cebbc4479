/// The tags that are published with a slot, and stay around its segment in every playlist.
package struct DateRangeLines: Hashable, Sendable {
    /// The tags of ranges that begin with the segment, or in it.
    package var above: [DateRange] = [] { didSet { textAbove = above.lines } }
    /// The tags of ranges that begin with the next segment, or in it.
    package var below: [DateRange] = [] { didSet { textBelow = below.lines } }
    /// The rendered lines, which all playlists repeat as long as they list the slot.
    package private(set) var textAbove = ""
    package private(set) var textBelow = ""

    /// The tags of the EXT-X-CUE-OUT family for the segment.
    package var cue: BreakCue?

    package init(above: [DateRange] = [], below: [DateRange] = []) {
        (self.above, self.below) = (above, below)
        (textAbove, textBelow) = (above.lines, below.lines)
    }

    package static func + (lhs: Self, rhs: Self) -> Self {
        var lines = Self(above: lhs.above + rhs.above, below: lhs.below + rhs.below)
        lines.cue = lhs.cue ?? rhs.cue
        return lines
    }

    package var all: [DateRange] { above + below }
    package var isEmpty: Bool { above.isEmpty && below.isEmpty && cue == nil }
}
