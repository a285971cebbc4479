import HTTPServing

/// Where the operator face listens and what it lets a client do.
package struct ControlConfiguration: Sendable {
    /// A host name or an address of this machine.
    var host: String
    /// 0 takes a free one.
    var port: Int
    /// Names by which clients may call this machine, besides ``host``, `localhost` and addresses.
    package var names: [String] = []
    /// Where they are all taken, the connection that was idle for longest gives way to a new one.
    package var maximumConnections = 256
    /// Of the connections, so that a supervisor is heard whoever follows events.
    package var maximumStreams = 128
    /// Of one address, by clients that have not shown who they are, where they have to.
    package var maximumStrangersPerAddress = 64
    /// How long the body of a request may take to arrive, from the end of its head on.
    var bodyTimeout: Duration = .seconds(10)
    /// How long a connection may be open without a request, and a head may take to arrive.
    var idleTimeout: Duration = .seconds(60)
    /// How long a client may take for what has been written to it: a slow reader of events is cut off.
    var writeTimeout: Duration = .seconds(10)
    /// How long an event stream is silent at most.
    var heartbeat: Duration = .seconds(15)
    /// How old metrics may be: so often at most they are made, however many ask.
    var metricsAge: Duration = .milliseconds(100)
    /// How long connections may stay once the face is to shut down.
    var shutdownTimeout: Duration = .seconds(5)
    /// Bytes of all header fields of a request, and of its target.
    var maximumHeadBytes = 16 * 1024
    /// Bytes of a request body.
    var maximumBodyBytes = 64 * 1024

    /// A socket that listens already, which another process has left; nil where there is none.
    package var inherited: CInt?
    /// Of the program, for monitoring.
    package var version = ""

    package init(host: String = "127.0.0.1", port: Int = 8081) {
        self.host = host
        self.port = port
    }
}

extension ControlConfiguration {
    /// What its server is told.
    ///
    /// - Parameter knowsStrangers: Whether clients have to show who they are.
    /// - Returns: Where to listen, and what clients may do.
    func server(knowsStrangers: Bool) -> HTTPServer.Configuration {
        var server = HTTPServer.Configuration(
            host: host,
            port: port,
            // There is no telling operators apart: they come from anywhere, through one proxy.
            limits: .init(
                total: maximumConnections,
                perAddress: knowsStrangers ? min(maximumStrangersPerAddress, max(1, maximumConnections / 4)) : .max,
                knowsStrangers: knowsStrangers
            ),
            // Nobody asks for so much that it would still be on its way when the connection closes.
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
