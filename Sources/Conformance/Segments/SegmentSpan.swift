import Inspection

/// The time between the beginning and the end of a segment's media, by its own decode times.
struct SegmentSpan: Hashable, Sendable {
    /// The time of the first sample, in 90 kHz.
    var start: Int64
    /// The time behind the last sample; nil if the format does not say how long that lasts.
    var end: Int64?
    /// The length of most frames.
    var frame: Int64
    /// True if times are of 33 bits, as in transport streams and packed audio.
    var wraps: Bool

    /// The time by which another time is later.
    func distance(from start: Int64, to time: Int64) -> Int64 {
        wraps ? TransportTime.distance(from: start, to: time) : time - start
    }
}
