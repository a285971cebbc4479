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
    /// Whether it came over TLS.
    package var isSecure: Bool
    /// Its sender's address, as text; empty where it has none.
    package var clientAddress = ""

    package init(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPHeaders = [:],
        body: ByteBuffer = ByteBuffer(),
        client: Int = 0,
        isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.client = client
        self.isSecure = isSecure
    }

    /// The first field of a name.
    subscript(name: String) -> String? { fields.first(name: name) }

    /// The token in `Authorization` (RFC 6750 § 2.1).
    var bearerToken: String? {
        guard let field = self["Authorization"], field.prefix(7).lowercased() == "bearer " else { return nil }
        return field.dropFirst(7).trimmingPrefix { $0 == " " }.nonEmpty
    }

    /// The value of a parameter of the query, as it is written: what is asked for has no characters that need encoding.
    func queryValue(_ name: String) -> String? {
        guard let start = target.firstIndex(of: "?") else { return nil }
        let parameters = target[target.index(after: start)...].prefix { $0 != "#" }.split(separator: "&")
        return parameters.lazy.map { $0.split(separator: "=", maxSplits: 1) }
            .first { $0.count == 2 && $0[0] == name }?[1].nonEmpty
    }

    /// A hash that tells viewers apart: by address and user agent.
    var viewer: Int {
        var hasher = Hasher()
        hasher.combine(client)
        hasher.combine(self["User-Agent"])
        return hasher.finalize()
    }
}

extension Substring {
    fileprivate var nonEmpty: String? { isEmpty ? nil : String(self) }
}
