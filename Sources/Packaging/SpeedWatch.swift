import MediaCore
import Timeline

/// Puts into words that a feed comes faster or slower than time goes by, from how its clock has to be corrected.
///
/// Pure: corrections in, sentences out. A feed that is always too fast is corrected again and again, and that is said once
/// a minute.
struct SpeedWatch: Sendable {
    /// What an operator reads.
    struct News: Hashable, Sendable {
        /// One sentence or more.
        var text: String
        /// Whether viewers lose something.
        var isLoss: Bool
    }

    private static let period = MediaTime(seconds: 60)
    /// What a feed's clock must be off by before that is worth a word, and how fast.
    private static let worthSaying = MediaTime(milliseconds: 500)
    /// 200 ppm: a crystal is off by less.
    private static let crystal: Int64 = 5_000

    /// The steps that have not been told, and since when they are counted.
    private var steps = (sum: MediaTime.zero, since: MediaTime?.none)
    private var toldAt: MediaTime?
    private var slewed = (sum: MediaTime.zero, since: MediaTime?.none)
    /// The drift that was told last: a part of so many.
    private var toldDrift: Int64?

    init() {}

    /// The feed has its place.
    mutating func began(at now: MediaTime) {
        steps = (.zero, now)
        slewed = (.zero, now)
        toldDrift = nil
    }

    /// UTC of the feed was moved at once.
    ///
    /// - Parameters:
    ///   - amount: Below zero where it was ahead of real time.
    ///   - now: UTC.
    /// - Returns: What there is to be said; nil where as much was said less than a minute ago.
    mutating func anchoredAnew(by amount: MediaTime, at now: MediaTime) -> News? {
        let since = steps.since ?? now
        steps = (steps.sum + amount, since)
        if let toldAt, now - toldAt < Self.period { return nil }
        defer {
            steps = (.zero, now)
            toldAt = now
        }
        let elapsed = now - since
        let total = MediaTime(ticks: abs(steps.sum.ticks))
        let time = "in \(Self.seconds(elapsed)) s"
        if steps.sum < .zero {
            return News(
                text: "It comes faster than real time: \(time) it brought \(Self.seconds(total)) s more than it may"
                    + "\(Self.speed(elapsed + total, in: elapsed)). As much of it is left out, and viewers see a jump. "
                    + "Have the encoder send as fast as it plays (ffmpeg: -re).",
                isLoss: true
            )
        }
        return News(
            text: "It comes slower than real time, or stood still: \(time) it fell \(Self.seconds(total)) s behind"
                + "\(Self.speed(elapsed - total, in: elapsed)). It was placed anew, and viewers miss as much.",
            isLoss: true
        )
    }

    /// UTC of the feed was slewed.
    ///
    /// - Returns: What there is to be said; nil where its clock is as good as others.
    mutating func slewed(by amount: MediaTime, at now: MediaTime) -> News? {
        let since = slewed.since ?? now
        slewed = (slewed.sum + amount, since)
        let (elapsed, gained) = (now - since, slewed.sum)
        guard abs(gained.ticks) >= Self.worthSaying.ticks else { return nil }
        slewed = (.zero, now)
        guard abs(gained.ticks) > elapsed.ticks / Self.crystal else { return nil }
        let parts = gained.ticks * 1_000_000 / max(elapsed.ticks, 1)
        // Once, and again where it has doubled or turned round.
        if let told = toldDrift, (parts < 0) == (told < 0), abs(parts) < abs(told) * 2 { return nil }
        toldDrift = parts
        let side = parts < 0 ? "fast" : "slow"
        return News(
            text:
                "Its clock runs \(Self.decimal(abs(parts), of: 10_000, digits: 2)) % \(side). Dates are corrected for it, "
                + "and nothing is lost; an encoder's clock should be right to 0.01 %.",
            isLoss: false
        )
    }

    /// The speed, where there was time enough to measure it.
    private static func speed(_ media: MediaTime, in time: MediaTime) -> String {
        let percent = media.ticks * 100 / max(time.ticks, 1)
        return time > .zero && percent != 100 ? " (\(percent) % of real time)" : ""
    }

    private static func seconds(_ time: MediaTime) -> String { decimal(time.milliseconds, of: 1_000, digits: 1) }

    /// A quotient with so many digits behind the point, rounded down.
    private static func decimal(_ value: Int64, of unit: Int64, digits: Int) -> String {
        let scale: Int64 = digits == 1 ? 10 : 100
        let scaled = value * scale / unit
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
