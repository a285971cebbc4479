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
    /// How long a connection may be open without a request, and a request may take to arrive.
    var idleTimeout: Duration = .seconds(60)
    /// How long a client may take for what has been written to it: a slow reader of events is cut off.
    var writeTimeout: Duration = .seconds(10)
    /// How long an event stream is silent at most.
    var heartbeat: Duration = .seconds(15)
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
    var server: HTTPServer.Configuration {
        var server = HTTPServer.Configuration(
            host: host,
            port: port,
            // There is no telling operators apart: they come from anywhere, through one proxy.
            limits: .init(total: maximumConnections, perAddress: .max),
            // Nobody asks for so much that it would still be on its way when the connection closes.
            timeouts: ConnectionTimeouts(write: writeTimeout, linger: .seconds(1), shutdown: shutdownTimeout),
            maximumHeadBytes: maximumHeadBytes
        )
        server.inherited = inherited
        return server
    }
}
