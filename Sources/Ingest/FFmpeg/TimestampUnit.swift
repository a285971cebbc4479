import MediaCore

/// A stream's unit of time and the width of its counter, as libavformat states them.
struct TimestampUnit: Hashable, Sendable {
    /// One unit is `numerator / denominator` seconds.
    var numerator: Int64
    var denominator: Int64
    var bits: Int

    /// The number of 90 kHz ticks after which the stream's timestamps wrap; nil if never.
    ///
    /// libavformat states a width below 64 bits also where it unwraps by itself (RTP). Two counters are passed on
    /// unchanged, and are recognised by their units: 33 bits of 90 kHz (ISO/IEC 13818-1 § 2.4.3.7) and 32 bits of
    /// milliseconds (FLV and RTMP).
    var modulus: Int64? {
        switch (bits, numerator, denominator) {
        case (33, 1, 90_000): Timestamps.transportStreamModulus
        case (32, 1, 1000): 90 << 32
        default: nil
        }
    }

    /// Timestamps beyond 2^33 s, or 272 years, are damage; below that nothing overflows.
    private static let maximumSeconds: Int64 = 1 << 33

    /// True if rounding to it matters for the length of an audio frame: half a millisecond or more.
    var isCoarse: Bool { numerator > 0 && denominator > 0 && denominator / numerator <= 2_000 }

    /// The nearest 90 kHz tick to `value` units, or nil if no feed can mean it.
    func ticks(_ value: Int64) -> Int64? {
        guard numerator > 0, denominator > 0 else { return nil }
        guard (value / denominator).magnitude < UInt64(Self.maximumSeconds / numerator) else { return nil }
        if numerator == 1, denominator == MediaTime.timescale { return value }
        return MediaTime.rescale(value, from: denominator, to: MediaTime.timescale * numerator)
    }

    /// A time of day since 1970, or nil if it is before or so late that no clock can mean it.
    static func utc(microseconds: Int64) -> MediaTime? {
        guard 0..<1_000_000 << 33 ~= microseconds else { return nil }
        return MediaTime(microseconds, timescale: 1_000_000)
    }
}
