package import MediaCore

/// Decides on reports of an input that is not there: at once why it cannot be opened, and less and less often that it
/// is still waited for.
package struct AbsenceWatch: Hashable, Sendable {
    /// A report that is due.
    package enum News: Hashable, Sendable {
        /// The input cannot be opened, for a reason that was not reported since it was lost.
        case failed(reason: String)
        /// No media has come for a number of seconds; the reason is from the last attempt, if known.
        case waiting(seconds: Int, reason: String?)
    }

    /// The seconds of absence after which it is reported; from the last on, again after as long.
    private static let reminders: [Int64] = [5, 30, 120, 600, 1800]

    private var since: MediaTime?
    private var reasons: Set<String> = []
    private var latestReason: String?
    private var reminded = 0

    package init() {}

    /// Notes that the input is absent from now on, unless it was absent before.
    package mutating func began(at now: MediaTime) {
        if since == nil { since = now }
    }

    /// Notes a failed attempt to open it.
    ///
    /// - Returns: The report that is due now; nil if it was made before.
    package mutating func failed(_ reason: String, at now: MediaTime) -> News? {
        began(at: now)
        latestReason = reason
        return reasons.insert(reason).inserted ? .failed(reason: reason) : nil
    }

    /// Advances the time.
    ///
    /// - Returns: The report that is due now; nil for none.
    package mutating func timeAdvanced(to now: MediaTime) -> News? {
        guard let since, now - since >= MediaTime(seconds: Self.delay(of: reminded)) else { return nil }
        reminded += 1
        return .waiting(seconds: Int((now - since).seconds), reason: latestReason)
    }

    /// Ends the absence: the input is back, or is not waited for any more.
    ///
    /// - Returns: The start of the absence; nil if there was none.
    @discardableResult
    package mutating func ended() -> MediaTime? {
        defer { self = AbsenceWatch() }
        return since
    }

    private static func delay(of index: Int) -> Int64 {
        let last = reminders.count - 1
        return index <= last ? reminders[index] : reminders[last] * Int64(index - last + 1)
    }
}
