import Foundation
import JWTKit

/// A JSON Web Key Set as it is written; a key that is not understood is one that is not there.
struct JSONWebKeySet: Decodable {
    var keys: [Member]

    struct Member: Decodable {
        var key: Key?

        init(from decoder: any Decoder) throws {
            key = try? Key(from: decoder)
        }
    }

    struct Key: Decodable {
        /// Empty where it has none.
        var id: String
        private var material: Material

        private enum Material {
            case octets(HMACKey)
            case publicKey(JWK)
        }

        private enum CodingKeys: String, CodingKey {
            case kid, kty, alg, use, k, crv
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decodeIfPresent(String.self, forKey: .kid) ?? ""
            let use = try fields.decodeIfPresent(String.self, forKey: .use)
            let (type, expected) = try Self.algorithm(of: fields.decode(String.self, forKey: .kty), fields)
            // RFC 7517 § 4.2 and 4.4: a key for something else is not for this.
            guard use ?? "sig" == "sig", try fields.decodeIfPresent(String.self, forKey: .alg) ?? expected == expected
            else { throw Self.unusable(decoder) }
            if type == "oct" {
                let octets = try Data(base64URL: fields.decode(String.self, forKey: .k))
                // RFC 7518 § 3.2: as long as the hash at least.
                guard let octets, octets.count >= 32 else { throw Self.unusable(decoder) }
                material = .octets(HMACKey(from: octets))
            } else {
                var key = try JWK(from: decoder)
                key.keyIdentifier = JWKIdentifier(string: id)
                key.algorithm = type == "RSA" ? .rs256 : .es256
                material = .publicKey(key)
            }
        }

        /// What verifies its signatures; nil where it is damaged or weak.
        var algorithm: (any JWTAlgorithm)? {
            get async {
                let collection = JWTKeyCollection()
                let identifier = JWKIdentifier(string: id)
                switch material {
                case .octets(let key): await collection.add(hmac: key, digestAlgorithm: .sha256, kid: identifier)
                case .publicKey(let key):
                    guard (try? await collection.add(jwk: key)) != nil else { return nil }
                }
                return try? await collection.getKey(for: identifier)
            }
        }

        private static func algorithm(
            of type: String,
            _ fields: KeyedDecodingContainer<CodingKeys>
        ) throws -> (type: String, name: String) {
            switch type {
            case "oct": return (type, "HS256")
            case "RSA": return (type, "RS256")
            case "EC" where try fields.decode(String.self, forKey: .crv) == "P-256": return (type, "ES256")
            default:
                throw DecodingError.dataCorruptedError(
                    forKey: .kty,
                    in: fields,
                    debugDescription: "another kind of key"
                )
            }
        }

        private static func unusable(_ decoder: any Decoder) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no key for signatures of tokens"))
        }
    }
}

extension Data {
    /// Without padding (RFC 7515 § 2).
    fileprivate init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
