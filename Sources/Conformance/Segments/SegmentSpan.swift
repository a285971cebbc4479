import Inspection

/// When a segment's media begins and ends, by its own decode times.
struct SegmentSpan: Hashable, Sendable {
    /// Of the first sample, in 90 kHz.
    var start: Int64
    /// Behind the last sample; nil where the format does not say how long that lasts.
    var end: Int64?
    /// The length of most frames.
    var frame: Int64
    /// Whether times are of 33 bits, as in transport streams and packed audio.
    var wraps: Bool

    /// How much later another time is.
    func distance(from start: Int64, to time: Int64) -> Int64 {
        wraps ? TransportTime.distance(from: start, to: time) : time - start
    }
}
