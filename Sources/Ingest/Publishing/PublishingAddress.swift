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

    init(socket: SocketEndpoint, path: String) {
        (self.socket, self.path) = (socket, path)
    }

    /// - Parameter url: A URL of RTMP; nil if it names no host or an impossible port.
    init?(_ url: FeedLocation) {
        guard let host = url.authority?.host, !host.isEmpty, let port = url.port else { return nil }
        socket = SocketEndpoint(host: host, port: port)
        path = PublishRequest.normalized(url.resource)
    }
}
