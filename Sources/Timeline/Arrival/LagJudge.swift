package import MediaCore

/// Judges by the delays of packets if their clock is placed rightly in UTC.
///
/// A packet may be held up but never comes early, so the least lag (arrival minus UTC) of all tracks should be zero. A
/// negative one is an error whenever it is seen; a positive one where it lasts. How much each track is usually behind the
/// least is known from when it began, so that one that falls silent does not make the others look late.
package struct LagJudge: Sendable {
    /// One track of one input.
    package struct Source: Hashable, Sendable {
        var input: InputPosition
        var track: InputTrackIndex
    }

    /// The correction of UTC that is due.
    package enum Verdict: Hashable, Sendable {
        case leave
        /// The correction of UTC, in small steps that no player notices.
        case slew(MediaTime)
        /// The correction of UTC in one step.
        case reanchor(MediaTime)
    }

    private struct Lag {
        /// The least while the feed is neither early nor late; nil while that is not known.
        var usual: MediaTime?
        /// The least of the window under way.
        var least: MediaTime?
    }

    /// Packets are judged by the least of such a time.
    private static let window = MediaTime(milliseconds: 500)
    /// The number of windows that lateness must last before it is believed.
    private static let lateWindows = 8
    /// The least change that is corrected.
    private static let deadBand = MediaTime(milliseconds: 5)
    /// A larger error makes a new anchor.
    private static let largest = MediaTime(milliseconds: 500)
    /// An error that changes by more has not come to rest.
    private static let unrest = MediaTime(milliseconds: 100)
    /// The time that an error must last; the shorter one for an error far beyond a network's delay.
    private static let patience = MediaTime(seconds: 5)
    private static let shortPatience = MediaTime(seconds: 1)
    private static let farBehind = MediaTime(seconds: 2)
    /// The seconds in which an error is corrected, by no less than 100 ppm and no more than 2000 ppm.
    ///
    /// That is at most 8 ms in a segment of four seconds: EXT-X-PROGRAM-DATE-TIME and EXTINF agree to less than a frame.
    private static let slewSeconds: Int64 = 50
    package static let leastRate: Int64 = 10_000
    package static let mostRate: Int64 = 500

    private var lags: [Source: Lag] = [:]
    private var windowStart: MediaTime?
    private var slewedAt: MediaTime?
    /// The errors of the newest windows.
    private var recent: [MediaTime] = []
    private var off: (since: MediaTime, error: MediaTime)?

    init() {}

    /// Returns the usual delay of a track behind the earliest.
    func usualLag(of source: Source) -> MediaTime { lags[source]?.usual ?? .zero }

    /// Forgets the windows, because the clock was moved.
    mutating func restart() {
        windowStart = nil
        recent = []
        off = nil
        for source in lags.keys { lags[source]?.least = nil }
    }

    /// Forgets an input.
    package mutating func forget(input: InputPosition) {
        for source in lags.keys where source.input == input { lags[source] = nil }
    }

    /// Takes the lag of a packet.
    ///
    /// - Parameters:
    ///   - lag: Arrival minus UTC.
    ///   - source: The track that it is of.
    ///   - arrival: UTC of the arrival.
    /// - Returns: The correction that is due now.
    package mutating func observe(_ lag: MediaTime, of source: Source, at arrival: MediaTime) -> Verdict {
        let start = windowStart ?? arrival
        var verdict = Verdict.leave
        windowStart = start
        if arrival - start >= Self.window {
            verdict = judge(at: arrival)
            windowStart = arrival
        }
        var known = lags[source] ?? Lag()
        known.least = min(known.least ?? lag, lag)
        lags[source] = known
        return verdict
    }

    /// Judges a window that is over.
    private mutating func judge(at arrival: MediaTime) -> Verdict {
        let heard = lags.filter { $0.value.least != nil }
        let earliest = heard.values.compactMap(\.least).min() ?? .zero
        let changes = heard.values.compactMap { lag in lag.usual.flatMap { usual in lag.least.map { $0 - usual } } }
        let change = changes.min() ?? .zero
        // The source that is least behind defines what early is; while it is silent, the others replace it.
        let leading = lags.values.compactMap(\.usual).min()
        let isLed = leading == nil || heard.values.contains { $0.usual == leading }
        let error = earliest < .zero ? earliest : isLed ? max(change, .zero) : change
        for (source, lag) in heard {
            guard let least = lag.least else { continue }
            let usual = max(least - error, .zero)
            lags[source] = Lag(usual: min(lag.usual ?? usual, usual), least: nil)
        }
        recent = recent.suffix(Self.lateWindows - 1) + [error]
        let elapsed = min(arrival - (slewedAt ?? arrival), MediaTime(seconds: 2))
        slewedAt = arrival
        guard abs(error.ticks) >= Self.largest.ticks else {
            off = nil
            return slew(error, over: elapsed)
        }
        let patience = error >= Self.farBehind ? Self.shortPatience : Self.patience
        guard let off, isAtRest(error, since: off.error) else {
            off = (arrival, error)
            return .leave
        }
        return arrival - off.since >= patience ? .reanchor(error) : .leave
    }

    /// Returns true if an error no longer changes: nothing is caught up, and no burst continues.
    private func isAtRest(_ error: MediaTime, since before: MediaTime) -> Bool {
        let change = error - before
        return change >= -Self.unrest && (error > .zero || change <= Self.unrest)
    }

    private func slew(_ error: MediaTime, over elapsed: MediaTime) -> Verdict {
        let isLate = error > .zero
        let error = isLate ? recent.count == Self.lateWindows ? recent.min() ?? .zero : .zero : error
        let magnitude = abs(error.ticks)
        guard magnitude > Self.deadBand.ticks, isLate == (error > .zero) else { return .leave }
        let wanted = magnitude * elapsed.ticks / (Self.slewSeconds * MediaTime.timescale)
        let limit = max(elapsed.ticks / Self.leastRate, min(wanted, elapsed.ticks / Self.mostRate))
        let amount = MediaTime(ticks: min(limit, magnitude))
        guard amount > .zero else { return .leave }
        return .slew(isLate ? amount : -amount)
    }
}
