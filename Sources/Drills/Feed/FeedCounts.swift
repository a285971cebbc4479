/// What became of a feed's datagrams.
package struct FeedCounts: Hashable, Sendable {
    package var sent = 0
    /// Packets and datagrams that a fault kept.
    package var dropped = 0
    /// There was no connection.
    package var undelivered = 0

    package init() {}
}
