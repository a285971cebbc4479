import ContentProtection
import MediaCore
import NIOCore
import NIOHTTP1

/// Signs requests as Amazon S3 and the stores like it expect (AWS Signature Version 4).
struct RequestSigner: Hashable, Sendable {
    let region: String
    let service: String

    /// The parts of a request that are signed.
    struct Request {
        var method: HTTPMethod
        /// Absolute, percent-encoded.
        var path: String
        /// Names and values, percent-encoded.
        var query: [(name: String, value: String)] = []
        /// The fields, including `Host`; all are signed.
        var fields: HTTPHeaders
        /// The SHA-256 digest of the body, in hexadecimal digits.
        var bodyDigest: String
    }

    /// Returns the value of `Authorization`.
    ///
    /// - Throws: `OpenSSLError` without memory or without SHA-256.
    func authorization(of request: Request, by key: AccessKey, at time: SigningTime) throws(OpenSSLError) -> String {
        let fields = Self.canonical(request.fields)
        let names = fields.map(\.name).joined(separator: ";")
        let query = request.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        let lines =
            [request.method.rawValue, request.path, query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")]
            + fields.map { "\($0.name):\($0.value)" } + ["", names, request.bodyDigest]
        let digest = try MessageDigest.sha256.digest(Array(lines.joined(separator: "\n").utf8))
        let scope = [time.day, region, service, Self.terminator]
        let text = [Self.algorithm, time.text, scope.joined(separator: "/"), digest.hex]
        var secret = Array("AWS4\(key.secret)".utf8)
        for part in scope { secret = try MessageAuthentication.code(of: Array(part.utf8), secret: secret) }
        let signature = try MessageAuthentication.code(of: Array(text.joined(separator: "\n").utf8), secret: secret)
        return "\(Self.algorithm) Credential=\(key.id)/\(scope.joined(separator: "/")), SignedHeaders=\(names), "
            + "Signature=\(signature.hex)"
    }

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let terminator = "aws4_request"

    /// The fields by their names in lower case, with the values of one name as one, and one space for several.
    private static func canonical(_ fields: HTTPHeaders) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for (name, value) in fields {
            values[name.lowercased(), default: []].append(value.split(separator: " ").joined(separator: " "))
        }
        return values.map { ($0.key, $0.value.joined(separator: ",")) }.sorted { $0.name < $1.name }
    }
}

/// A point in time as signatures have it: `20150830T123600Z`.
struct SigningTime: Hashable, Sendable {
    let text: String

    init(text: String) { self.text = text }

    init(_ time: MediaTime) { text = time.basicISO8601 }

    /// The day in UTC, which keys are derived for.
    var day: String { String(text.prefix(8)) }
}
