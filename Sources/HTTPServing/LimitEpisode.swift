/// Tells a time in which a limit is reached from the single connections that it costs.
package struct LimitEpisode: Hashable, Sendable {
    package enum News: Hashable, Sendable {
        case began
        /// The limit costs no more connections, after it has cost `count`.
        case ended(count: Int)
    }

    /// Seconds without any that end an episode.
    package static let patience: Int64 = 60

    /// The number of connections since the start.
    package private(set) var total = 0
    private var begunAt = 0
    private var last: Int64?

    init() {}

    /// Counts a connection that the limit has cost.
    ///
    /// - Parameter now: Seconds of a clock that never goes back.
    /// - Returns: The news, if it is the first.
    package mutating func reached(at now: Int64) -> News? {
        if last == nil { begunAt = total }
        total += 1
        defer { last = now }
        return last == nil ? .began : nil
    }

    /// Time went by.
    package mutating func check(at now: Int64) -> News? {
        guard let last, now - last >= Self.patience else { return nil }
        self.last = nil
        return .ended(count: total - begunAt)
    }
}
