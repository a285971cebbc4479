/// A key of a JSON Web Key Set as it is written (RFC 7517 § 4, RFC 7518 § 6).
struct JSONWebKey: Decodable {
    var kty: String
    var kid: String?
    var alg: String?
    var use: String?
    var operations: [String]?
    /// Members of a point on a curve.
    var crv, x, y: String?
    /// Members of an RSA key.
    var n, e: String?
    /// A shared secret.
    var k: String?

    private enum CodingKeys: String, CodingKey {
        case kty, kid, alg, use, crv, x, y, n, e, k
        case operations = "key_ops"
    }
}

/// A JSON Web Key Set as it is written (RFC 7517 § 5).
struct JSONWebKeySet: Decodable {
    var keys: [Lenient<JSONWebKey>]
}

/// A part of a document that counts as absent if it is of another kind.
struct Lenient<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
