import Foundation
import JWTKit

/// The keys that tokens are signed with: a JSON Web Key Set (RFC 7517 § 5).
///
/// HS256, ES256 and RS256 are taken. A key signs by one algorithm only, whatever a token says of itself: so nobody signs
/// with a public key as if it were a shared secret (RFC 8725 § 3.1).
package struct TokenKeys: Sendable {
    /// By their IDs; the empty one is that of a key without an ID.
    private var keys: [String: any JWTAlgorithm] = [:]

    /// Longer than tokens are, so that nobody has megabytes read for nothing.
    private static let longestToken = 8192

    /// None at all.
    package init() {}

    /// Reads a set.
    ///
    /// Keys of other kinds are left out, as RFC 7517 § 5 wants it: an issuer may have them for something else.
    ///
    /// - Throws: ``TokenKeysError`` for what is no set, and for one with no key that can be used.
    package init(jwks json: some Collection<UInt8>) async throws(TokenKeysError) {
        let set: JSONWebKeySet
        do {
            set = try JSONDecoder().decode(JSONWebKeySet.self, from: Data(json))
        } catch {
            throw .noKeySet
        }
        for member in set.keys {
            guard let key = member.key, let algorithm = await key.algorithm else { continue }
            keys[key.id] = algorithm
        }
        guard !keys.isEmpty else { throw .noUsableKey(of: set.keys.count) }
    }

    package var count: Int { keys.count }

    /// Verifies a token.
    ///
    /// - Parameter text: A JSON Web Token in compact form (RFC 7515 § 7.1).
    /// - Returns: What it says; whether it is good now is asked of that.
    /// - Throws: ``TokenRefusal/invalid`` or ``TokenRefusal/unknownKey``.
    package func token(_ text: String) throws(TokenRefusal) -> PlaybackToken {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.longestToken, let end = bytes.lastIndex(of: UInt8(ascii: ".")),
            let parsed = try? DefaultJWTParser().parse(bytes, as: TokenClaims.self),
            // RFC 7515 § 4.1.11: what has to be understood and is not.
            parsed.header.crit == nil
        else { throw .invalid }
        // A token need not name the key where there is one only.
        guard let key = keys[parsed.header.kid ?? ""] ?? (parsed.header.kid == nil ? soleKey : nil) else {
            throw .unknownKey
        }
        guard parsed.header.alg == key.name,
            (try? key.verify(parsed.signature, signs: bytes[..<end])) == true,
            let token = parsed.payload.token
        else { throw .invalid }
        return token
    }

    private var soleKey: (any JWTAlgorithm)? { keys.count == 1 ? keys.values.first : nil }
}

extension TokenKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "TokenKeys(\(count))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
