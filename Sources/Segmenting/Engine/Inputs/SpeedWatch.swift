import MediaCore
import Timeline

/// Reports feeds that are faster or slower than real time, judged by the corrections of their clocks.
///
/// It is pure: corrections in, sentences out. A feed that is always too fast is corrected again and again, and is
/// reported once a minute.
struct SpeedWatch: Sendable {
    /// A report for an operator.
    struct News: Hashable, Sendable {
        /// The text, of one sentence or more.
        var text: String
        /// True if viewers lose something.
        var isLoss: Bool
    }

    private static let period = MediaTime(seconds: 60)
    /// The smallest error of a feed's clock that is reported.
    private static let worthSaying = MediaTime(milliseconds: 500)
    /// The reciprocal of 200 ppm: a crystal is off by less.
    private static let crystal: Int64 = 5_000

    /// The steps that have not been reported, each way, with the time since which they are counted.
    private var steps = Steps()
    private var reportedAt: MediaTime?
    private var slewed = (sum: MediaTime.zero, since: MediaTime?.none)
    /// The drift that was reported last, in ppm.
    private var reportedDrift: Int64?

    private struct Steps {
        var ahead = MediaTime.zero
        var behind = MediaTime.zero
        var since: MediaTime?
    }

    init() {}

    /// Begins to count, once the feed has its place.
    mutating func began(at now: MediaTime) {
        steps = Steps(since: now)
        reportedAt = nil
        slewed = (.zero, now)
        reportedDrift = nil
    }

    /// Notes that UTC of the feed was moved at once.
    ///
    /// - Parameters:
    ///   - amount: The amount, below zero if the feed was ahead of real time.
    ///   - now: The time now, in UTC.
    /// - Returns: The report that is due; nil if one was made less than a minute ago.
    mutating func reanchored(by amount: MediaTime, at now: MediaTime) -> News? {
        steps.since = steps.since ?? now
        if amount < .zero { steps.ahead -= amount } else { steps.behind += amount }
        return due(at: now)
    }

    /// Returns a report that was held back because another was made less than a minute before.
    mutating func due(at now: MediaTime) -> News? {
        if let reportedAt, now - reportedAt < Self.period { return nil }
        let elapsed = now - (steps.since ?? now)
        let sentences = [Self.fast(by: steps.ahead, in: elapsed), Self.slow(by: steps.behind, in: elapsed)]
            .compactMap(\.self)
        guard !sentences.isEmpty else { return nil }
        steps = Steps(since: now)
        reportedAt = now
        return News(text: sentences.joined(separator: " "), isLoss: true)
    }

    private static func fast(by total: MediaTime, in elapsed: MediaTime) -> String? {
        guard total >= worthSaying else { return nil }
        return
            "It is faster than real time: in \(seconds(elapsed)) s it brought \(seconds(total)) s too much"
            + "\(speed(elapsed + total, in: elapsed)). The surplus is left out, and viewers see a jump. "
            + "Set the encoder to real time (ffmpeg: -re)."
    }

    private static func slow(by total: MediaTime, in elapsed: MediaTime) -> String? {
        guard total >= worthSaying else { return nil }
        // In the middle of a standstill, the delay began before the last report.
        let elapsed = max(elapsed, total)
        return
            "It is slower than real time, or stopped: in \(seconds(elapsed)) s it fell \(seconds(total)) s "
            + "behind\(speed(elapsed - total, in: elapsed)). It was aligned again, and viewers miss that time."
    }

    /// Notes that UTC of the feed was slewed.
    ///
    /// - Returns: The report that is due; nil if its clock is as good as others.
    mutating func slewed(by amount: MediaTime, at now: MediaTime) -> News? {
        let since = slewed.since ?? now
        slewed = (slewed.sum + amount, since)
        let (elapsed, gained) = (now - since, slewed.sum)
        guard abs(gained.ticks) >= Self.worthSaying.ticks else { return nil }
        slewed = (.zero, now)
        guard abs(gained.ticks) > elapsed.ticks / Self.crystal else { return nil }
        let parts = gained.ticks * 1_000_000 / max(elapsed.ticks, 1)
        // Drift is reported once, and again when it has doubled or changed direction.
        if let reported = reportedDrift, (parts < 0) == (reported < 0), abs(parts) < abs(reported) * 2 { return nil }
        reportedDrift = parts
        let side = parts < 0 ? "fast" : "slow"
        return News(
            text:
                "Its clock runs \(Self.decimal(abs(parts), of: 10_000, digits: 2)) % \(side). Dates are corrected, "
                + "and nothing is lost; an encoder's clock should be right to 0.01 %.",
            isLoss: false
        )
    }

    /// Returns the speed as text; empty if there was too little time to measure it, and at real time.
    private static func speed(_ media: MediaTime, in time: MediaTime) -> String {
        let percent = (media.ticks * 100 + time.ticks / 2) / max(time.ticks, 1)
        return time > .zero && percent != 100 ? " (\(percent) % of real time)" : ""
    }

    private static func seconds(_ time: MediaTime) -> String { decimal(time.milliseconds, of: 1_000, digits: 1) }

    /// Returns a quotient as a decimal number, rounded down to a number of digits.
    private static func decimal(_ value: Int64, of unit: Int64, digits: Int) -> String {
        let scale: Int64 = digits == 1 ? 10 : 100
        let scaled = value * scale / unit
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
