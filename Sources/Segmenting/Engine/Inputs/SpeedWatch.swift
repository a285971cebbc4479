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

    /// The steps that have not been told, each way, and since when they are counted.
    private var steps = Steps()
    private var toldAt: MediaTime?
    private var slewed = (sum: MediaTime.zero, since: MediaTime?.none)
    /// The drift that was told last: a part of so many.
    private var toldDrift: Int64?

    private struct Steps {
        var ahead = MediaTime.zero
        var behind = MediaTime.zero
        var since: MediaTime?
    }

    init() {}

    /// The feed has its place.
    mutating func began(at now: MediaTime) {
        steps = Steps(since: now)
        toldAt = nil
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
        steps.since = steps.since ?? now
        if amount < .zero { steps.ahead -= amount } else { steps.behind += amount }
        return due(at: now)
    }

    /// What was held back because as much was said less than a minute before; to be asked for as time goes by.
    mutating func due(at now: MediaTime) -> News? {
        if let toldAt, now - toldAt < Self.period { return nil }
        let elapsed = now - (steps.since ?? now)
        let sentences = [Self.fast(by: steps.ahead, in: elapsed), Self.slow(by: steps.behind, in: elapsed)]
            .compactMap(\.self)
        guard !sentences.isEmpty else { return nil }
        steps = Steps(since: now)
        toldAt = now
        return News(text: sentences.joined(separator: " "), isLoss: true)
    }

    private static func fast(by total: MediaTime, in elapsed: MediaTime) -> String? {
        guard total >= worthSaying else { return nil }
        return
            "It comes faster than real time: in \(seconds(elapsed)) s it brought \(seconds(total)) s more than it may"
            + "\(speed(elapsed + total, in: elapsed)). As much of it is left out, and viewers see a jump. "
            + "Have the encoder send as fast as it plays (ffmpeg: -re)."
    }

    private static func slow(by total: MediaTime, in elapsed: MediaTime) -> String? {
        guard total >= worthSaying else { return nil }
        // What it fell behind by began before what was said last, where that was said in the middle of a standstill.
        let elapsed = max(elapsed, total)
        return
            "It comes slower than real time, or stood still: in \(seconds(elapsed)) s it fell \(seconds(total)) s "
            + "behind\(speed(elapsed - total, in: elapsed)). It was placed anew, and viewers miss as much."
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
        let percent = (media.ticks * 100 + time.ticks / 2) / max(time.ticks, 1)
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
