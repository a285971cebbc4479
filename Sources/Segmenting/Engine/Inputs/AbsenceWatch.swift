package import MediaCore

/// Decides what is said of an input that is not there: at once why it cannot be opened, and less and less often that it is
/// still waited for.
package struct AbsenceWatch: Hashable, Sendable {
    /// What is to be said.
    package enum News: Hashable, Sendable {
        /// It cannot be opened, for a reason that was not said since it went away.
        case failed(reason: String)
        /// Nothing has come of it for so many seconds; and why, where its last attempt has said so.
        case waiting(seconds: Int, reason: String?)
    }

    /// Seconds of absence after which it is said; from the last on, again after as long.
    private static let reminders: [Int64] = [5, 30, 120, 600, 1800]

    private var since: MediaTime?
    private var reasons: Set<String> = []
    private var latestReason: String?
    private var reminded = 0

    package init() {}

    /// It is not there from now on, unless it has not been before.
    package mutating func began(at now: MediaTime) {
        if since == nil { since = now }
    }

    /// An attempt to open it has failed.
    ///
    /// - Returns: What is to be said now; nil for nothing, since it was said.
    package mutating func failed(_ reason: String, at now: MediaTime) -> News? {
        began(at: now)
        latestReason = reason
        return reasons.insert(reason).inserted ? .failed(reason: reason) : nil
    }

    /// Time goes by.
    ///
    /// - Returns: What is to be said now; nil for nothing.
    package mutating func timeAdvanced(to now: MediaTime) -> News? {
        guard let since, now - since >= MediaTime(seconds: Self.delay(of: reminded)) else { return nil }
        reminded += 1
        return .waiting(seconds: Int((now - since).seconds), reason: latestReason)
    }

    /// It is there, or nobody waits for it any more.
    ///
    /// - Returns: Since when it was not; nil where it was all the time.
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
