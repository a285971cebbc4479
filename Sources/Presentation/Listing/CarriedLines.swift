import Playlists

/// Tags that stand above all segments of every playlist: rendered once for all, and again only when they are others.
struct CarriedLines: Sendable {
    private var ranges: [DateRange] = []
    private var text = ""

    /// The lines of these.
    mutating func text(of ranges: [DateRange]) -> String {
        if ranges != self.ranges { (self.ranges, text) = (ranges, ranges.lines) }
        return text
    }
}
