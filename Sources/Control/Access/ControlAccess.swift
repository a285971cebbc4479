package import Files
import HTTPServing
import MediaCore
import NIOHTTP1

/// Authenticates the client of a request, and finds its role.
///
/// A token comes as `Authorization: Bearer` (RFC 6750); a client whose certificate the handshake has found good is an
/// administrator. If neither is required, every client is an operator, and one on this machine an administrator.
package struct ControlAccess: Sendable {
    private let tokens: FollowedFiles<ControlTokens>?
    private let takesCertificates: Bool

    /// - Parameters:
    ///   - tokens: The list of tokens; nil if there are none.
    ///   - takesCertificates: True if clients may show certificates.
    package init(tokens: FollowedFiles<ControlTokens>? = nil, takesCertificates: Bool = false) {
        self.tokens = tokens
        self.takesCertificates = takesCertificates
    }

    /// True if clients need not authenticate.
    package var isOpenToAll: Bool { tokens == nil && !takesCertificates }

    /// Lets a request in.
    ///
    /// - Parameters:
    ///   - request: Its head.
    ///   - certificate: The name in the client's verified certificate; nil if it has shown none.
    ///   - address: The address of its peer; nil if the connection has none.
    ///   - now: UTC, counted from 1970.
    /// - Returns: Its client, whose role the routes enforce.
    /// - Throws: The refusal, as a whole answer.
    func admit(
        _ request: Request,
        certificate: String?,
        address: String?,
        at now: MediaTime
    ) throws(Refusal) -> Requester {
        if isOpenToAll {
            let isLocal = address.map(Self.isLoopback) ?? false && !Self.isForwarded(request)
            return Requester(address: address, role: isLocal ? .administrator : .operator)
        }
        if let certificate { return Requester(name: certificate, address: address, role: .administrator) }
        if !request.method.changes, Self.isOpen(request.target) {
            return Requester(address: address, role: .readOnly)
        }
        guard let field = request.field("Authorization") else {
            throw Self.unauthorized(nil, "authentication is required: \(kinds)")
        }
        guard let tokens else { throw Self.unauthorized(nil, "tokens are not accepted here; show \(kinds)") }
        guard let token = Self.token(in: field) else {
            throw Self.unauthorized("invalid_token", "this is not a token; send Authorization: Bearer TOKEN")
        }
        guard let owner = tokens.value.owner(of: token) else {
            throw Self.unauthorized("invalid_token", "the token is unknown")
        }
        if let expiry = owner.expiry, expiry <= now {
            throw Self.unauthorized("invalid_token", "the token of \(owner.name) has expired, at \(expiry.iso8601)")
        }
        return Requester(name: owner.name, address: address, role: owner.role)
    }

    private static func isLoopback(_ address: String) -> Bool {
        ["127.0.0.0/8", "::1"].contains { AddressRange($0)?.contains(address) ?? false }
    }

    /// The peer of a request that a proxy passes on is the proxy, not the client.
    private static func isForwarded(_ request: Request) -> Bool {
        ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].contains { name in
            request.fields.contains(name: name)
        }
    }

    private var kinds: String {
        let kinds = [
            tokens == nil ? nil : "a token (Authorization: Bearer TOKEN)",
            takesCertificates ? "a client certificate" : nil,
        ]
        return kinds.compactMap(\.self).joined(separator: " or ")
    }

    /// Returns true for paths that need no token: those of supervisors, and public files.
    ///
    /// The page sends its token with all its requests. The guide and the API document are the same for everybody.
    static func isOpen(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        if ["/", "/healthz", "/readyz", "/\(APIDocument.name)"].contains(path) { return true }
        let name = path.dropFirst()
        return !name.contains("/") && [".html", ".js", ".css", ".svg"].contains { name.hasSuffix($0) }
    }

    /// RFC 6750 § 2.1.
    private static func token(in field: String) -> String? {
        guard field.prefix(7).lowercased() == "bearer " else { return nil }
        let token = field.dropFirst(7).drop { $0 == " " }
        let body = token.prefix { $0 != "=" }
        let isToken = body.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~+/".utf8.contains(byte)
            }
        }
        return isToken && !body.isEmpty && token[body.endIndex...].allSatisfy { $0 == "=" } ? String(token) : nil
    }

    private static func unauthorized(_ error: String?, _ problem: String) -> Refusal {
        Refusal(.unauthorized, [problem], fields: ["WWW-Authenticate": challenge(error, problem)])
    }

    /// RFC 6750 § 3: a request without credentials gets no error code.
    static func challenge(_ error: String?, _ problem: String) -> String {
        guard let error else { return "Bearer realm=\"packager\"" }
        return "Bearer realm=\"packager\", error=\"\(error)\", error_description=\"\(problem)\""
    }
}

extension HTTPMethod {
    /// True if a request with this method may change something (RFC 9110 § 9.2.1 calls the others safe).
    var changes: Bool { ![.GET, .HEAD, .OPTIONS].contains(self) }
}
