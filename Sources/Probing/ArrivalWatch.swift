import MediaCore

/// Compares a feed's clock with that of the machine: by how much it drifts, and how unevenly media comes.
struct ArrivalWatch: Sendable {
    private struct Point {
        /// Seconds of media since the first.
        var media: Double
        /// Seconds that it came later than its timestamp says.
        var delay: Double
    }

    private var points: [Point] = []
    private var origin: (media: Int64, arrival: MediaTime)?

    /// Media of the first second may have waited somewhere.
    private static let settling = MediaTime.timescale
    private static let mostPoints = 100_000
    /// Seconds from which on drift is looked for.
    private static let leastSpan = 5.0

    /// - Parameters:
    ///   - media: A decode timestamp in ticks, counted on.
    ///   - arrival: The time of its arrival.
    mutating func received(media: Int64, at arrival: MediaTime) {
        guard let origin else {
            self.origin = (media, arrival)
            return
        }
        let elapsed = media - origin.media
        guard elapsed >= Self.settling, points.count < Self.mostPoints else { return }
        let seconds = MediaTime(ticks: elapsed).seconds
        points.append(Point(media: seconds, delay: (arrival - origin.arrival).seconds - seconds))
    }

    /// Notes a jump of timestamps: earlier and later packets cannot be compared.
    mutating func interrupted() {
        (points, origin) = ([], nil)
    }

    /// Millionths by which the feed's clock is faster, and seconds of jitter; nil before enough has come.
    var report: (jitter: Double, driftPPM: Double?)? {
        guard points.count >= 10, let first = points.first, let last = points.last else { return nil }
        // A line through the delays, by least squares: its slope is the drift, the distance from it the jitter.
        let count = Double(points.count)
        let meanMedia = points.reduce(0) { $0 + $1.media } / count
        let meanDelay = points.reduce(0) { $0 + $1.delay } / count
        let spread = points.reduce(0) { $0 + ($1.media - meanMedia) * ($1.media - meanMedia) }
        guard spread > 0 else { return nil }
        let slope = points.reduce(0) { $0 + ($1.media - meanMedia) * ($1.delay - meanDelay) } / spread
        let offsets = points.map { $0.delay - meanDelay - slope * ($0.media - meanMedia) }
        let jitter = (offsets.max() ?? 0) - (offsets.min() ?? 0)
        let error = (offsets.reduce(0) { $0 + $1 * $1 } / max(count - 2, 1) / spread).squareRoot()
        let isKnown = last.media - first.media >= Self.leastSpan && abs(slope) > 4 * error && abs(slope) > 5e-6
        return (jitter.rounded(to: 3), isKnown ? (-slope * 1e6).rounded(to: 0) : nil)
    }
}
