package import NIOCore
package import NIOHTTP1

/// A request, as much of it as an answer depends on.
package struct OriginRequest: Sendable {
    package var method: HTTPMethod
    /// In origin form (RFC 9112 § 3.2.1).
    package var target: String
    package var fields: HTTPHeaders
    /// Empty but for what is posted.
    package var body: ByteBuffer
    /// Tells its sender's address from others.
    package var client: Int

    package init(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPHeaders = [:],
        body: ByteBuffer = ByteBuffer(),
        client: Int = 0
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.client = client
    }

    /// The first field of a name.
    subscript(name: String) -> String? { fields.first(name: name) }

    /// A hash that tells viewers apart: by address and user agent.
    var viewer: Int {
        var hasher = Hasher()
        hasher.combine(client)
        hasher.combine(self["User-Agent"])
        return hasher.finalize()
    }
}
