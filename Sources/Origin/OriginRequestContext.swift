package import Hummingbird
import NIOCore

/// What a request comes with besides itself: who sent it.
package struct OriginRequestContext: InitializableFromSource {
    private let client: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        client = source.channel.remoteAddress
    }

    /// A hash that tells viewers apart: the client's address, without its port, and its user agent.
    func viewer(userAgent: String?) -> Int {
        var hasher = Hasher()
        hasher.combine(client?.ipAddress)
        hasher.combine(userAgent)
        return hasher.finalize()
    }
}
