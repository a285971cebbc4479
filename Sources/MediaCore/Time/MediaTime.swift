/// A point on, or a length of, a timeline in ticks of 90 kHz, MPEG's own clock.
///
/// Everything that decides (slots, cuts, windows) counts in these ticks: integers, 64 bits, never wrapped. A point
/// counts from 1970-01-01T00:00:00Z unless its name says otherwise. 90 kHz is finer than every audio rate up to
/// 48 kHz, so a rescale to the track's timescale and back is exact.
///
/// It is `public`, not `package`: only then does the compiler inline it in other modules.
public struct MediaTime: Hashable, Comparable, Sendable {
    /// Ticks per second (ISO/IEC 13818-1 § 2.4.3.7).
    public static let timescale: Int64 = 90_000
    public static let zero = MediaTime(ticks: 0)

    public var ticks: Int64

    public init(ticks: Int64) {
        self.ticks = ticks
    }

    public init(milliseconds: Int64) {
        self.ticks = milliseconds * 90
    }

    public init(seconds: Int64) {
        self.ticks = seconds * Self.timescale
    }

    /// The nearest tick to `value` units of `1 / timescale` seconds.
    public init(_ value: Int64, timescale: Int64) {
        self.ticks = Self.rescale(value, from: timescale, to: Self.timescale)
    }

    /// The nearest unit of `1 / timescale` seconds.
    public func value(timescale: Int64) -> Int64 {
        Self.rescale(ticks, from: Self.timescale, to: timescale)
    }

    /// Milliseconds, rounded to the nearest.
    public var milliseconds: Int64 { value(timescale: 1000) }

    /// The first whole millisecond that is not before it.
    public var roundedUpToMilliseconds: Self {
        let time = Self(milliseconds: milliseconds)
        return time < self ? time + Self(milliseconds: 1) : time
    }

    /// Seconds, for text and metrics only: no decision is made on it.
    public var seconds: Double { Double(ticks) / Double(Self.timescale) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.ticks < rhs.ticks }
    public static func + (lhs: Self, rhs: Self) -> Self { Self(ticks: lhs.ticks + rhs.ticks) }
    public static func - (lhs: Self, rhs: Self) -> Self { Self(ticks: lhs.ticks - rhs.ticks) }
    public static func * (lhs: Self, rhs: Int64) -> Self { Self(ticks: lhs.ticks * rhs) }
    public static func += (lhs: inout Self, rhs: Self) { lhs.ticks += rhs.ticks }
    public static func -= (lhs: inout Self, rhs: Self) { lhs.ticks -= rhs.ticks }
    public static prefix func - (time: Self) -> Self { Self(ticks: -time.ticks) }

    /// `value · to / from`, rounded half up; exact for any 64-bit value, and clamped if the result does not fit.
    public static func rescale(_ value: Int64, from: Int64, to: Int64) -> Int64 {
        if from == to { return value }
        let product = value.multipliedFullWidth(by: to)
        let (high, low) = (product.high, product.low)
        // 128-bit floor((value·to + from/2) / from): counts since 1970 times a rate exceed 64 bits.
        let sum = Int128(high) << 64 + Int128(low) + Int128(from / 2)
        let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(from))
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }
}

extension MediaTime: CustomStringConvertible {
    public var description: String { "\(seconds) s" }
}
