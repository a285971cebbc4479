import Playlists
import Synchronization

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

/// The carried tags of texts that are rendered when they are asked for, several at once.
final class SharedLines: Sendable {
    private let lines = Mutex(CarriedLines())

    /// Returns the lines of these ranges.
    func text(of ranges: [DateRange]) -> String { lines.withLock { $0.text(of: ranges) } }
}
