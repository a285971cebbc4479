import MediaCore

/// Holds a file to the speed of its own timestamps.
///
/// The first packet sets the pace; every later one is due as much later as its decode timestamp is. A track whose
/// timestamps jump, in either direction, joins the pace of the others if they lead there as well, or sets it anew.
struct Pacer: Hashable, Sendable {
    /// A step of more than this, in 90 kHz ticks, is a jump and not a pause to be waited for.
    static let maximumStep: Int64 = 10 * MediaTime.timescale
    /// The distance in a file up to which packets may belong to the same time.
    static let maximumSkew: Duration = .seconds(2)

    /// The number of 90 kHz ticks after which timestamps wrap; nil if never.
    var modulus: Int64?

    /// The latest point of each track, by index.
    private var tracks: [Point?] = []
    /// The point of the packet before, whichever track it belonged to.
    private var latest: Point?

    /// The time on the clock at which a timestamp is due.
    private struct Point: Hashable {
        /// Due here, on the clock, and so many 90 kHz ticks later.
        var start: Duration
        var position: Int64 = 0
        var timestamp: Int64

        var due: Duration { start + Duration(MediaTime(ticks: position)) }

        func distance(to timestamp: Int64, modulus: Int64?) -> Int64 {
            Timestamps.distance(from: self.timestamp, to: timestamp, modulus: modulus)
        }

        func advanced(by step: Int64, to timestamp: Int64) -> Point {
            Point(start: start, position: position + step, timestamp: timestamp)
        }
    }

    init(modulus: Int64? = nil) {
        self.modulus = modulus
    }

    /// A packet was read.
    ///
    /// - Parameters:
    ///   - track: Its track's index.
    ///   - decodeTimestamp: In 90 kHz ticks.
    ///   - now: Time on any clock that only runs forwards.
    /// - Returns: The time to hold the packet; zero or less if it is due.
    mutating func packetRead(track: Int, decodeTimestamp: Int64, now: Duration) -> Duration {
        while tracks.count <= track { tracks.append(nil) }
        let point =
            continued(track: track, to: decodeTimestamp) ?? joined(at: decodeTimestamp, now: now)
            ?? Point(start: now, timestamp: decodeTimestamp)
        tracks[track] = point
        latest = point
        return point.due - now
    }

    /// The point to which the track itself leads, unless it starts or jumps here.
    private func continued(track: Int, to timestamp: Int64) -> Point? {
        guard let previous = tracks[track] else { return nil }
        let step = previous.distance(to: timestamp, modulus: modulus)
        return 0...Self.maximumStep ~= step ? previous.advanced(by: step, to: timestamp) : nil
    }

    /// The point to which the packet before leads, if that is about now.
    private func joined(at timestamp: Int64, now: Duration) -> Point? {
        guard let latest else { return nil }
        let step = latest.distance(to: timestamp, modulus: modulus)
        guard step.magnitude <= Self.maximumStep.magnitude else { return nil }
        let point = latest.advanced(by: step, to: timestamp)
        return max(point.due, now) - min(point.due, now) <= Self.maximumSkew ? point : nil
    }
}
