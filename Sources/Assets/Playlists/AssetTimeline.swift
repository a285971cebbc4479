import MediaCore

/// The times of an asset's segments, in UTC and from the asset's start.
struct AssetTimeline: Sendable {
    /// Segments that follow each other without a leap.
    private struct Stretch {
        var start: MediaTime
        var end: MediaTime
        /// The time from the asset's start.
        var place: MediaTime
    }

    private var stretches: [Stretch] = []
    private(set) var duration = MediaTime.zero
    /// The number of segments.
    private(set) var count = 0

    /// The distance in time that is rounding.
    private static let tolerance = MediaTime(milliseconds: 100)

    mutating func append(start: MediaTime, length: MediaTime) {
        if let last = stretches.last, abs((start - last.end).ticks) <= Self.tolerance.ticks {
            stretches[stretches.count - 1].end = start + length
        } else {
            stretches.append(Stretch(start: start, end: start + length, place: duration))
        }
        duration += length
        count += 1
    }

    /// The start of the first segment and the end of the last, in UTC; nil if there is none.
    var extent: Range<MediaTime>? {
        guard let first = stretches.first, let last = stretches.last, first.start < last.end else { return nil }
        return first.start..<last.end
    }

    /// Returns the time since the asset's start that shows a time of UTC, or the end of the cut that it is in.
    func place(of time: MediaTime) -> MediaTime {
        guard let stretch = stretches.first(where: { time < $0.end }) else { return duration }
        return stretch.place + max(.zero, time - stretch.start)
    }
}
