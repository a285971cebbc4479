import MediaCore

/// The stretches of the media timeline that one track's buffer holds, in order, with holes between them.
struct BufferedRanges: Hashable, Sendable {
    private(set) var ranges: [Range<MediaTime>] = []

    /// The longest hole that playback passes over: hls.js's `maxBufferHole`.
    static let tolerance = MediaTime(milliseconds: 100)

    /// The end of the last stretch.
    var end: MediaTime? { ranges.last?.upperBound }

    mutating func insert(_ range: Range<MediaTime>) {
        var merged = range
        ranges.removeAll { other in
            guard other.lowerBound <= merged.upperBound + Self.tolerance,
                merged.lowerBound <= other.upperBound + Self.tolerance
            else { return false }
            merged = min(merged.lowerBound, other.lowerBound)..<max(merged.upperBound, other.upperBound)
            return true
        }
        let index = ranges.firstIndex { $0.lowerBound > merged.lowerBound } ?? ranges.endIndex
        ranges.insert(merged, at: index)
    }

    /// Drops ranges that end at or before a position.
    mutating func removeAll(before position: MediaTime) {
        ranges.removeAll { $0.upperBound <= position }
    }

    mutating func removeAll() { ranges = [] }

    /// The stretches that both hold.
    func intersection(_ other: Self) -> Self {
        var both = Self()
        both.ranges = ranges.flatMap { range in
            other.ranges.compactMap { other in
                let start = max(range.lowerBound, other.lowerBound)
                let end = min(range.upperBound, other.upperBound)
                return start < end ? start..<end : nil
            }
        }
        return both
    }

    /// The stretch that a playhead at `position` plays, or can start playing at once.
    func range(at position: MediaTime) -> Range<MediaTime>? {
        ranges.first { $0.lowerBound <= position + Self.tolerance && position < $0.upperBound }
    }

    /// The first stretch that begins behind `position`.
    func range(after position: MediaTime) -> Range<MediaTime>? {
        ranges.first { $0.lowerBound > position }
    }
}
