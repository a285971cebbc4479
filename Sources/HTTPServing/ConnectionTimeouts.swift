/// How long a client may take.
package struct ConnectionTimeouts: Hashable, Sendable {
    /// To ask for something, where a connection has several requests at once.
    var idle: Duration
    /// For what has been written to it.
    package var write: Duration
    /// For the handshake of an encrypted connection.
    var handshake = Duration.seconds(10)
    /// To close a connection after this side has.
    var linger: Duration
    /// For answers under way, once the server is to shut down.
    var shutdown: Duration

    package init(idle: Duration = .seconds(60), write: Duration, linger: Duration, shutdown: Duration) {
        self.idle = idle
        self.write = write
        self.linger = linger
        self.shutdown = shutdown
    }
}
