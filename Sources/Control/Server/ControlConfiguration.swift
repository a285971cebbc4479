import HTTPServing

/// The address of the control API, and the limits of its clients.
package struct ControlConfiguration: Sendable {
    /// A host name or an address of this machine.
    var host: String
    /// 0 takes a free one.
    var port: Int
    /// The names that clients may use for this machine, in addition to `host`, `localhost` and addresses.
    package var names: [String] = []
    /// The most connections; beyond that, the one that was idle for longest gives way to a new one.
    package var maximumConnections = 256
    /// The most connections that follow events, so that others are left for supervisors.
    package var maximumStreams = 128
    /// The most connections of one address whose clients have not authenticated, if they must.
    package var maximumUnauthenticatedPerAddress = 64
    /// The time that the body of a request may take to arrive, from the end of its head on.
    var bodyTimeout: Duration = .seconds(10)
    /// The time that a connection may be open without a request, or a head may take to arrive.
    var idleTimeout: Duration = .seconds(60)
    /// The time in which a client must take written bytes: a slow reader of events is cut off.
    var writeTimeout: Duration = .seconds(10)
    /// The longest silence of an event stream.
    var heartbeat: Duration = .seconds(15)
    /// The age up to which metrics are shared among clients.
    var metricsAge: Duration = .milliseconds(100)
    /// The time that connections may stay once the server is to shut down.
    var shutdownTimeout: Duration = .seconds(5)
    /// Bytes of all header fields of a request, and of its target.
    var maximumHeadBytes = 16 * 1024
    /// Bytes of a request body.
    var maximumBodyBytes = 64 * 1024

    /// A listening socket from another process; nil if there is none.
    package var inherited: CInt?
    /// The version of the program, for monitoring.
    package var version = ""

    package init(host: String = "127.0.0.1", port: Int = 8081) {
        self.host = host
        self.port = port
    }
}

extension ControlConfiguration {
    /// Returns the configuration of the HTTP server.
    ///
    /// - Parameter requiresAuthentication: True if clients have to authenticate.
    /// - Returns: The address to listen at, and the limits of clients.
    func server(requiresAuthentication: Bool) -> HTTPServer.Configuration {
        var server = HTTPServer.Configuration(
            host: host,
            port: port,
            // Operators cannot be told apart: they come through one proxy.
            limits: .init(
                total: maximumConnections,
                perAddress: requiresAuthentication
                    ? min(maximumUnauthenticatedPerAddress, max(1, maximumConnections / 4)) : .max,
                requiresAuthentication: requiresAuthentication
            ),
            // No request is so long that it would still be on its way when the connection closes.
            timeouts: ConnectionTimeouts(
                idle: idleTimeout,
                body: bodyTimeout,
                write: writeTimeout,
                linger: .seconds(1),
                shutdown: shutdownTimeout
            ),
            maximumHeadBytes: maximumHeadBytes,
            maximumBodyBytes: maximumBodyBytes
        )
        server.inherited = inherited
        return server
    }
}
