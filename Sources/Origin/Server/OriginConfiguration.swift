package import HTTPServing

/// The address of the origin, and the limits of its clients.
package struct OriginConfiguration: Sendable {
    /// A host name or an address of this machine.
    package var host: String
    /// 0 takes a free one.
    package var port: Int
    package var resources = ServedResources.everything
    /// A listening socket from another process; nil if there is none.
    package var inherited: CInt?
    /// Name of the query parameter that may carry a token.
    package var tokenParameter = "token"
    /// The most connections; beyond that, the one that was idle for longest gives way to a new one.
    package var maximumConnections = 4096
    /// The most connections of one client's address; a proxy or a network behind one address is one client.
    package var maximumConnectionsPerAddress = 2048
    /// The time that a connection may be open without a request, or a request head may take to arrive.
    package var idleTimeout: Duration = .seconds(75)
    /// The time that the body of a request may take to arrive, from the end of its head on.
    package var bodyTimeout: Duration = .seconds(10)
    /// The time in which a client must take written bytes: media that waits for longer is no longer live.
    package var writeTimeout: Duration = .seconds(60)
    /// The time that the other side has to close a connection after this side has.
    package var lingerTime: Duration = .seconds(5)
    /// The time that answers under way may take once the origin is to shut down.
    package var shutdownTimeout: Duration = .seconds(10)
    /// The time that a request for a playlist waits while its channel has not begun: shorter than players wait for an
    /// answer.
    package var startPatience: Duration = .seconds(15)
    /// Bytes of all header fields of a request, and of its target.
    package var maximumHeadBytes = 16 * 1024
    /// Bytes of a request body.
    package var maximumBodyBytes = 64 * 1024

    package init(host: String = "127.0.0.1", port: Int = 8080) {
        self.host = host
        self.port = port
    }
}

extension OriginConfiguration {
    package var limits: ConnectionGate.Table.Limits {
        .init(total: maximumConnections, perAddress: maximumConnectionsPerAddress)
    }

    var server: HTTPServer.Configuration {
        var server = HTTPServer.Configuration(
            host: host,
            port: port,
            limits: limits,
            timeouts: ConnectionTimeouts(
                idle: idleTimeout,
                body: bodyTimeout,
                write: writeTimeout,
                linger: lingerTime,
                shutdown: shutdownTimeout
            ),
            maximumHeadBytes: maximumHeadBytes,
            maximumBodyBytes: maximumBodyBytes
        )
        server.inherited = inherited
        return server
    }
}
