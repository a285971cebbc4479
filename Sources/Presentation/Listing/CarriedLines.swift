import Playlists

/// Tags that stand above all segments of every playlist: rendered once for all of them, and again only when they
/// change.
struct CarriedLines: Sendable {
    private var ranges: [DateRange] = []
    private var text = ""

    /// Returns the lines of these ranges.
    mutating func text(of ranges: [DateRange]) -> String {
        if ranges != self.ranges { (self.ranges, text) = (ranges, ranges.lines) }
        return text
    }
}
