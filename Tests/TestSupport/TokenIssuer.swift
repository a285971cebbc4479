package import Foundation

/// Tokens and the keys that they are signed with, made by a program that shares nothing with what is tested.
package struct TokenIssuer: Sendable {
    package struct Key: Encodable, Sendable {
        var kid: String
        var alg: String
        var bits: Int
        var hidden: Bool
        /// Members of its JSON, besides or in place of those that it has.
        var members: [String: Token.Claim]

        package init(
            _ kid: String,
            _ alg: String = "HS256",
            bits: Int = 2048,
            hidden: Bool = false,
            members: [String: Token.Claim] = [:]
        ) {
            self.kid = kid
            self.alg = alg
            self.bits = bits
            self.hidden = hidden
            self.members = members
        }
    }

    package struct Token: Encodable, Sendable {
        package enum Claim: Encodable, Sendable {
            case text(String)
            case list([String])
            case number(Int)
            case flag(Bool)
            /// Removes it.
            case absent

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .text(let text): try container.encode(text)
                case .list(let list): try container.encode(list)
                case .number(let number): try container.encode(number)
                case .flag(let flag): try container.encode(flag)
                case .absent: try container.encodeNil()
                }
            }
        }

        var kid: String
        /// `exp` and `nbf` are seconds from now.
        package var claims: [String: Claim]
        /// More fields of the header.
        package var header: [String: Claim] = [:]
        /// The key that signs it, if not the one that it names.
        package var key: String?
        /// The algorithm, if not that of its key.
        package var alg: String?
        /// True if its header names its key.
        package var isNamed = true

        package init(_ kid: String = "shared", _ claims: [String: Claim] = [:]) {
            self.kid = kid
            self.claims = ["exp": .number(3600), "channel": .text("live")].merging(claims) { $1 }
        }
    }

    /// The JSON Web Key Set.
    package let jwks: Data
    /// In the order in which they were asked for.
    package let tokens: [String]

    package init(_ keys: [Key], _ tokens: [Token]) async throws {
        struct Order: Encodable {
            var keys: [Key]
            var tokens: [Token]
        }
        let order = try JSONEncoder().encode(Order(keys: keys, tokens: tokens))
        let output = try await Program.run(
            Repository.python,
            [
                Repository.script("KeyServingTests/Tokens/issue.py"),
                String(decoding: order, as: UTF8.self),
            ]
        )
        let answer = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        guard let jwks = answer?["jwks"], let tokens = answer?["tokens"] as? [String] else {
            throw Program.Failure(description: output)
        }
        self.jwks = try JSONSerialization.data(withJSONObject: jwks)
        self.tokens = tokens
    }
}
