import ContentProtection
import Foundation

/// A key that verifies tokens.
///
/// It has one algorithm, and a token cannot choose another: a public key cannot be abused as a shared secret (RFC 8725
/// § 3.1).
struct TokenKey: Sendable {
    /// The reason why a key verifies no token.
    struct Problem: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private enum Verifier {
        case secret([UInt8])
        case publicKey(SignatureKey)
    }

    let id: String?
    private let verifier: Verifier

    /// RFC 7518 § 3.2: at least as long as the hash.
    private static let shortestSecret = 32
    /// RFC 7518 § 3.3, and an end to how long one signature takes.
    private static let bits = 2048...8192
    private static let longestExponent = 8

    /// - Throws: ``Problem`` for a key of another kind, for another purpose, or too weak.
    init(_ key: JSONWebKey) throws(Problem) {
        let algorithm = try Self.algorithm(of: key)
        // RFC 7517 § 4.2 to 4.4: a key for something else is not for this.
        if let use = key.use, use != "sig" { throw Problem("its use is \(use.legible), not sig") }
        if let operations = key.operations, !operations.contains("verify") { throw Problem("its key_ops lack verify") }
        if let name = key.alg, name != algorithm.rawValue {
            throw Problem("its alg is \(name.legible); with kty \(key.kty) it has to be \(algorithm.rawValue)")
        }
        id = key.kid
        verifier =
            switch algorithm {
            case .hs256: .secret(try Self.secret(key))
            case .rs256: .publicKey(try Self.modulus(key))
            case .es256: .publicKey(try Self.point(key))
            }
    }

    var algorithm: TokenAlgorithm {
        switch verifier {
        case .secret: .hs256
        case .publicKey(let key):
            switch key.algorithm {
            case .rsa: .rs256
            case .p256: .es256
            }
        }
    }

    func verifies(_ token: SignedToken) -> Bool {
        switch verifier {
        case .secret(let secret):
            MessageAuthentication.verifies(token.signature, of: token.signingInput, secret: secret)
        case .publicKey(let key): key.verifies(token.signature, of: token.signingInput)
        }
    }

    private static func algorithm(of key: JSONWebKey) throws(Problem) -> TokenAlgorithm {
        switch key.kty {
        case "oct": .hs256
        case "RSA": .rs256
        case "EC": .es256
        default: throw Problem("its kty is \(key.kty.legible); RSA, EC and oct can be used")
        }
    }

    private static func secret(_ key: JSONWebKey) throws(Problem) -> [UInt8] {
        let secret = try bytes(key.k, "k")
        guard secret.count >= shortestSecret else {
            throw Problem("it has \(secret.count) bytes; \(shortestSecret) are needed")
        }
        return secret
    }

    private static func modulus(_ key: JSONWebKey) throws(Problem) -> SignatureKey {
        let (modulus, exponent) = (try bytes(key.n, "n"), try bytes(key.e, "e").drop { $0 == 0 })
        guard exponent.count <= longestExponent, let last = exponent.last, last & 1 == 1, Array(exponent) != [1] else {
            throw Problem("its e is no public exponent")
        }
        guard let key = SignatureKey(modulus: modulus, exponent: Array(exponent)) else {
            throw Problem("it is no RSA key")
        }
        guard bits.contains(key.bits) else {
            throw Problem("it has \(key.bits) bits; \(bits.lowerBound) to \(bits.upperBound) can be used")
        }
        return key
    }

    private static func point(_ key: JSONWebKey) throws(Problem) -> SignatureKey {
        guard key.crv == "P-256" else {
            throw Problem("its crv is \((key.crv ?? "missing").legible); P-256 can be used")
        }
        guard let key = SignatureKey(x: try bytes(key.x, "x"), y: try bytes(key.y, "y")) else {
            throw Problem("it is no point of P-256")
        }
        return key
    }

    /// Takes padding and the characters of plain base64 as well, which some issuers write.
    private static func bytes(_ text: String?, _ name: String) throws(Problem) -> [UInt8] {
        guard let text else { throw Problem("it has no \(name)") }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: plain + padding) else { throw Problem("its \(name) is not base64url") }
        return Array(bytes)
    }
}
