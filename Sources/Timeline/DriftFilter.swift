package import MediaCore

/// Finds the drift between a feed's clock and UTC from the delay of its fastest packets.
///
/// A packet can be held up but never comes early, so the least delay within a window shows the clocks' relation
/// without the network's jitter.
package struct DriftFilter: Sendable {
    /// One tick in so many is the most that UTC is slewed: 100 ppm.
    package static let maximumRate: Int64 = 10_000
    /// How long packets are watched for one correction, which is then at most 0.2 ms.
    private static let window = MediaTime(seconds: 2)
    /// Less than this is left alone.
    private static let deadBand = MediaTime(milliseconds: 5)

    private var windowStart: MediaTime?
    private var least = MediaTime.zero

    package init() {}

    /// Forgets the window under way, because the clocks' relation changed.
    package mutating func restart() {
        windowStart = nil
    }

    /// A packet came `lag` after its UTC.
    ///
    /// - Parameters:
    ///   - lag: Arrival minus UTC.
    ///   - arrival: UTC of the arrival.
    /// - Returns: What to add to the UTC offset; zero but at the end of a window.
    package mutating func observe(_ lag: MediaTime, at arrival: MediaTime) -> MediaTime {
        guard let start = windowStart else {
            windowStart = arrival
            least = lag
            return .zero
        }
        least = min(least, lag)
        guard arrival - start >= Self.window else { return .zero }
        let found = least
        // Windows follow each other without a rest, or the rate would not be reached.
        windowStart = arrival - start < Self.window * 2 ? start + Self.window : arrival
        least = lag
        guard abs(found.ticks) > Self.deadBand.ticks else { return .zero }
        let limit = Self.window.ticks / Self.maximumRate
        return MediaTime(ticks: max(-limit, min(limit, found.ticks)))
    }
}

/// The least delay of a track's packets over the last two spans of ten seconds.
package struct LagFilter: Sendable {
    private static let span = MediaTime(seconds: 10)

    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?

    package init() {}

    /// Nil before the first packet.
    package var least: MediaTime? {
        guard let previous, let current else { return previous ?? current }
        return min(previous, current)
    }

    package mutating func observe(_ lag: MediaTime, at arrival: MediaTime) {
        if arrival - (start ?? arrival) >= Self.span {
            previous = current
            current = nil
            start = arrival
        }
        start = start ?? arrival
        current = min(current ?? lag, lag)
    }
}
