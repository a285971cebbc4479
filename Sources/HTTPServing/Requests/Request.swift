package import NIOHTTP1

/// The parts of a request's head that an answer depends on.
package struct Request: Sendable {
    package var method: HTTPMethod
    /// The request target, in origin form (RFC 9112 § 3.2.1).
    package var target: String
    package var fields: HTTPHeaders
    /// Tells its sender's address from others.
    package var client: Int
    /// Tells its sender's network from others, for limits: a client has many addresses of IPv6.
    package var network: Int
    /// True if the request came over TLS.
    package var isSecure: Bool
    /// The client's address as text; empty if it has none.
    package var clientAddress = ""
    /// The protocol and its version, as logs write it.
    package var protocolName = "HTTP/1.1"
    /// True if the answer may have a ``FilePart`` as its body; encrypted or framed bodies must be read.
    package var takesFiles = false

    package init(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPHeaders = [:],
        client: Int = 0,
        isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.client = client
        network = client
        self.isSecure = isSecure
    }

    /// True if its client sends the body only once it is told to (RFC 9110 § 10.1.1).
    var expectsInvitation: Bool { self["Expect"]?.lowercased() == "100-continue" }

    /// The first field of a name.
    package subscript(name: String) -> String? { fields.first(name: name) }
}
