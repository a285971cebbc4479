/// Counts of a feed's datagrams.
struct FeedCounts: Hashable, Sendable {
    var sent = 0
    /// Packets and datagrams that a fault kept.
    var dropped = 0
    /// Packets that were not sent for want of a connection.
    var undelivered = 0

    init() {}
}
