import MediaCore

/// Measures a track's bit rate by its own timestamps.
struct RateWatch: Sendable {
    private var bytes = 0
    private var first: Int64?
    private var last: Int64?
    /// The bytes of the newest packet, whose duration is not known yet.
    private var open = 0
    /// Bytes by second since the first packet.
    private var seconds: [Int: Int] = [:]

    /// - Parameters:
    ///   - byteCount: The bytes of the packet.
    ///   - decode: In ticks, counted on.
    mutating func received(byteCount: Int, decode: Int64) {
        let start = first ?? decode
        first = start
        if decode > last ?? .min { last = decode }
        bytes += byteCount
        open = byteCount
        seconds[Int((decode - start) / MediaTime.timescale), default: 0] += byteCount
    }

    /// Ticks from the first packet to the last.
    var span: Int64 { (last ?? 0) - (first ?? 0) }

    /// The measured rates; nil for less than half a second.
    var report: FeedReport.Track.Rates? {
        guard span >= MediaTime.timescale / 2 else { return nil }
        let mean = MediaTime.rescale(Int64(bytes - open), from: span, to: MediaTime.timescale * 8)
        // The last second is not whole.
        let whole = seconds.filter { Int64($0.key + 1) * MediaTime.timescale <= span }
        let peak = (whole.values.max() ?? 0) * 8
        return FeedReport.Track.Rates(mean: Int(mean), peak: max(peak, Int(mean)))
    }
}
