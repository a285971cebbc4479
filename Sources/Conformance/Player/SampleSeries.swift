import MediaCore

/// Figures over time for a picture, in a bounded number of points.
///
/// A full series drops every second point and doubles its period.
package struct SampleSeries: Hashable, Sendable, Codable {
    /// Milliseconds between points.
    package private(set) var period: Int64
    package private(set) var points: [Point] = []

    private static let limit = 4096

    /// A sample; all times are in milliseconds.
    package struct Point: Hashable, Sendable, Codable {
        /// UTC since 1970.
        package var at: Int64
        /// The time between the media under the playhead and now; nil before playback.
        var latency: Int64?
        /// Ahead of the playhead.
        package var buffer: Int64
        /// The time since the oldest playlist was seen to gain a segment; nil before the first answer and after the
        /// end.
        var playlistAge: Int64?
        var isPlaying: Bool
    }

    init(period: MediaTime) {
        self.period = max(1, period.milliseconds)
    }

    mutating func append(_ point: Point) {
        points.append(point)
        guard points.count == Self.limit else { return }
        points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
        period *= 2
    }
}
