/// How long a client may take.
package struct ConnectionTimeouts: Hashable, Sendable {
    /// For what has been written to it.
    package var write: Duration
    /// To close a connection after this side has.
    var linger: Duration
    /// For answers under way, once the server is to shut down.
    var shutdown: Duration

    package init(write: Duration, linger: Duration, shutdown: Duration) {
        self.write = write
        self.linger = linger
        self.shutdown = shutdown
    }
}
