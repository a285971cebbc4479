/// The times that a client may take.
package struct ConnectionTimeouts: Hashable, Sendable {
    /// The time without a request, and for the head of a request to arrive.
    var idle: Duration
    /// The time for the body of a request, from the end of its head on.
    package var body: Duration
    /// The time in which the client must take written bytes, or 1 MiB of a longer answer.
    package var write: Duration
    /// The time for the handshake of an encrypted connection.
    var handshake = Duration.seconds(10)
    /// The time for unsent bytes of a displaced connection.
    var leave = Duration.seconds(1)
    /// The time to close a connection after this side has.
    var linger: Duration
    /// The time for answers under way, once the server is to shut down.
    var shutdown: Duration
    /// The time for answers under way, once another process has taken over.
    ///
    /// It ends before the other process gives up waiting for the files of this one, such as those of events.
    package static let retirement = Duration.seconds(60)
    /// The time for answers under way, once a signal ends a process that another one has taken over from.
    package static let dismissal = Duration.seconds(10)

    package init(
        idle: Duration = .seconds(60),
        body: Duration = .seconds(10),
        write: Duration,
        linger: Duration,
        shutdown: Duration
    ) {
        self.idle = idle
        self.body = body
        self.write = write
        self.linger = linger
        self.shutdown = shutdown
    }
}
