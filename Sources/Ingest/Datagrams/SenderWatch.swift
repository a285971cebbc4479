/// Notices when the datagrams of a feed come from another sender, or from more than one.
struct SenderWatch {
    enum Finding: Hashable {
        /// Another sender has replaced the former one.
        case changed(from: String, to: String)
        /// Two senders send at once, and the feed is a mixture of both.
        case several(String, String)
    }

    /// The sender that the feed is from.
    private var current: String?
    /// The time at which it was last heard, in nanoseconds.
    private var heard: Int64 = 0
    /// The sender that came after it, and the time of that.
    private var other: (name: String, since: Int64)?
    /// The time of the last report of several senders.
    private var reportedAt: Int64?

    /// True if another sender has been heard since the sender of the feed.
    var isInDoubt: Bool { other != nil }

    /// Nanoseconds of silence after which the sender before is taken to have stopped.
    private static let silence: Int64 = 1_000_000_000
    /// The nanoseconds until several senders are reported again.
    private static let interval: Int64 = 60_000_000_000

    /// Notes datagrams.
    ///
    /// - Parameters:
    ///   - sender: The address and port that they are from.
    ///   - time: The time of their arrival, in nanoseconds of a monotonic clock.
    /// - Returns: The news of the senders, if there is any.
    mutating func received(from sender: String, at time: Int64) -> Finding? {
        guard let current else {
            (self.current, heard) = (sender, time)
            return nil
        }
        if sender == current {
            heard = time
            guard let other else { return nil }
            // The current sender continues after another one has begun.
            self.other = nil
            if let reportedAt, time - reportedAt < Self.interval { return nil }
            reportedAt = time
            return .several(current, other.name)
        }
        if other?.name != sender { other = (sender, time) }
        guard time - heard >= Self.silence else { return nil }
        (self.current, heard, other) = (sender, time, nil)
        return .changed(from: current, to: sender)
    }
}
