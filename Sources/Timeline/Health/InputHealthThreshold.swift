package import MediaCore

/// Tells when an input's health crosses from good to bad and back, without flapping.
///
/// It falls at once; it recovers when the score has stayed at a higher mark for a while.
package struct InputHealthThreshold: Sendable {
    /// A crossing, with the report that shows it.
    package enum Crossing: Hashable, Sendable {
        case fell(InputHealth.Report)
        case recovered(InputHealth.Report)
    }

    private let low: Int
    private let high: Int
    private let hold: MediaTime
    package private(set) var isHealthy = true
    private var goodSince: MediaTime?

    /// - Parameters:
    ///   - low: It falls with a score below this.
    ///   - high: It recovers with a score of this, or above; not below `low`.
    ///   - hold: And only after this long.
    package init(low: Int = 70, high: Int = 85, hold: MediaTime = MediaTime(seconds: 5)) {
        precondition(high >= low, "a score that has fallen is not one that has recovered")
        self.low = low
        self.high = high
        self.hold = hold
    }

    /// A score was taken.
    ///
    /// - Parameters:
    ///   - report: Its score counts.
    ///   - now: UTC.
    /// - Returns: The change that it makes.
    package mutating func observe(_ report: InputHealth.Report, at now: MediaTime) -> Crossing? {
        if isHealthy {
            guard report.score < low else { return nil }
            isHealthy = false
            goodSince = nil
            return .fell(report)
        }
        guard report.score >= high else {
            goodSince = nil
            return nil
        }
        let since = goodSince ?? now
        goodSince = since
        guard now - since >= hold else { return nil }
        isHealthy = true
        return .recovered(report)
    }
}
