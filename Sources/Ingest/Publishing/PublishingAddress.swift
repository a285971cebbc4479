import MediaCore
import Publishing

/// The socket that waits for a publisher, and the path that it must name: `rtmp://0.0.0.0:1935/live/key`.
struct PublishingAddress: Hashable, Sendable {
    var socket: SocketEndpoint
    /// Application and stream key.
    var path: String

    /// A socket that listens.
    struct SocketEndpoint: Hashable, Sendable {
        var host: String
        var port: Int
    }

    /// The default port of RTMP.
    private static let defaultPort = 1935

    init(socket: SocketEndpoint, path: String) {
        (self.socket, self.path) = (socket, path)
    }

    /// - Parameter url: A URL of RTMP; nil if it names no host.
    init?(_ url: FeedLocation) {
        guard let authority = url.authority, !authority.host.isEmpty else { return nil }
        socket = SocketEndpoint(host: authority.host, port: authority.port.flatMap(Int.init) ?? Self.defaultPort)
        path = PublishRequest.normalized(url.resource)
    }
}
