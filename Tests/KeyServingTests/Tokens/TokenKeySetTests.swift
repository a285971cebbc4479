import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import KeyServing

/// The keys of a set that verify tokens, and the tokens that go with each.
@Suite struct TokenKeySetTests {
    private func issue(
        _ keys: [TokenIssuer.Key],
        _ tokens: [TokenIssuer.Token]
    ) async throws -> (keys: TokenKeys, tokens: [String]) {
        let issuer = try await TokenIssuer(keys, tokens)
        return (try TokenKeys(jwks: issuer.jwks), issuer.tokens)
    }

    /// Its header may say nothing of the key (RFC 7515 § 4.1.4).
    @Test func aTokenWithoutANameIsVerifiedByTheOneKeyThatFits() async throws {
        let (keys, tokens) = try await issue(
            [
                .init("h"), .init("e", "ES256"), .init("r", "RS256"),
                .init("encryption", "RS256", members: ["use": .text("enc")]),
                .init("signing", "ES256", members: ["key_ops": .list(["sign"]), "use": .absent]),
            ],
            ["h", "e", "r"].map { .unnamed($0) }
        )
        #expect(keys.count == 3)
        for token in tokens { #expect(try keys.token(token).channels == ["live"]) }
    }

    @Test func aTokenWithoutANameIsRefusedWhereSeveralKeysFit() async throws {
        let (keys, tokens) = try await issue(
            [.init("r1", "RS256"), .init("r2", "RS256"), .init("e", "ES256")],
            [.unnamed("r1"), .unnamed("r2"), .unnamed("e"), .init("r1")]
        )
        for token in tokens.prefix(2) { #expect(throws: TokenRefusal.ambiguousKey) { try keys.token(token) } }
        _ = try keys.token(tokens[2])
        _ = try keys.token(tokens[3])
    }

    @Test func aTokenWithoutANameIsRatherByTheKeyWithoutOne() async throws {
        let (keys, tokens) = try await issue(
            [.init("r1", "RS256"), .init("r2", "RS256", members: ["kid": .absent])],
            [.unnamed("r1"), .unnamed("r2")]
        )
        #expect(throws: TokenRefusal.invalid) { try keys.token(tokens[0]) }
        _ = try keys.token(tokens[1])
    }

    @Test func keysForVerifyingAreUsed() async throws {
        let operations = ["key_ops": TokenIssuer.Token.Claim.list(["sign", "verify"]), "use": .absent, "alg": .absent]
        let kinds = [("h", "HS256"), ("e", "ES256"), ("r", "RS256")]
        let (keys, tokens) = try await issue(
            kinds.map { .init($0, $1, members: operations) },
            kinds.map { .init($0.0) }
        )
        for token in tokens { _ = try keys.token(token) }
    }

    @Test func aKeyThatCannotBeUsedIsNamedWithItsReason() async throws {
        let (keys, _) = try await issue(
            [
                .init("good"), .init("encryption", "RS256", members: ["use": .text("enc")]),
                .init("signing", "ES256", members: ["key_ops": .list(["sign"])]),
                .init("weak", "RS256", bits: 1024), .init("long", "ES384"),
                .init("pss", "RS256", members: ["alg": .text("PS256")]),
                .init("short", members: ["k": .text("c2hvcnQ")]), .init("odd", members: ["k": .text("%")]),
                .init("two", "RS256", members: ["e": .text("Ag")]), .init("one", "RS256", members: ["e": .text("AQ")]),
                .init("even", "RS256", members: ["n": .absent]), .init("off", "ES256", members: ["y": .text("AQAB")]),
                .init("line\n2", "RS256", members: ["use": .text("a\nb")]), .init("none", members: ["kty": .number(1)]),
                .init("same", members: ["kid": .text("good")]),
            ],
            []
        )
        #expect(keys.count == 1)
        #expect(
            keys.unusable.map(\.description) == [
                "good (a later key of the set has the same kid)", "encryption (its use is enc, not sig)",
                "signing (its key_ops lack verify)", "weak (it has 1024 bits; 2048 to 8192 can be used)",
                "long (its alg is ES384; with kty EC it has to be ES256)",
                "pss (its alg is PS256; with kty RSA it has to be RS256)", "short (it has 5 bytes; 32 are needed)",
                "odd (its k is not base64url)", "two (its e is no public exponent)",
                "one (its e is no public exponent)",
                "even (it has no n)", "off (it is no point of P-256)", "line?2 (its use is a?b, not sig)",
                "index 13 (it is no JSON Web Key)", "other (its kty is OKP; RSA, EC and oct can be used)",
            ]
        )
    }

    @Test func aPointThatIsNotOnTheCurveIsRefused() throws {
        let point = String(repeating: "A", count: 42) + "E"
        let set = #"{"keys":[{"kty":"EC","kid":"p","crv":"P-256","x":"\#(point)","y":"\#(point)"}]}"#
        #expect(throws: TokenKeysError.noUsableKey([.init(name: "p", reason: "it is no point of P-256")])) {
            try TokenKeys(jwks: set.utf8)
        }
    }

    @Test func aSetIsBounded() throws {
        let key = #"{"kty":"oct","k":"\#(String(repeating: "A", count: 43))"}"#
        let set = "{\"keys\":[\(Array(repeating: key, count: 1001).joined(separator: ","))]}"
        #expect(throws: TokenKeysError.tooManyKeys(1001, most: 1000)) { try TokenKeys(jwks: set.utf8) }
        let few = "{\"keys\":[\(Array(repeating: key, count: 1000).joined(separator: ","))]}"
        #expect(try TokenKeys(jwks: few.utf8).count == 1000)
    }

    @Test func keysThatCannotBeUsedAreNewsOnceAChange() async throws {
        let issuers = [
            try await TokenIssuer([.init("one")], []), try await TokenIssuer([.init("two")], []),
            try await TokenIssuer([.init("two"), .init("weak", "RS256", bits: 1024)], []),
        ]
        let order = Mutex((sets: [0, 0, 1, 2, 2].map { [UInt8](issuers[$0].jwks) }[...], news: [[String]]()))
        let keyring = TokenKeyring(
            fetch: { order.withLock { $0.sets.removeFirst() } },
            uptime: { .zero },
            onKeys: { news in order.withLock { $0.news.append(news.unusable.map(\.name)) } },
            onFailure: { _, _ in order.withLock { $0.news.append(["none"]) } }
        )
        for _ in 0..<5 { try await keyring.refresh() }
        #expect(order.withLock { $0.news } == [["other"], [], [], ["weak", "other"], []])
    }

    @Test func aTokenIsForThisServerAndFromItsIssuer() async throws {
        let claims: [[String: TokenIssuer.Token.Claim]] = [
            [:], ["aud": .text("keys"), "iss": .text("login")],
            ["aud": .list(["other", "keys"]), "iss": .text("login")],
            ["aud": .text("other"), "iss": .text("login")], ["aud": .list([]), "iss": .text("login")],
            ["aud": .text("keys"), "iss": .text("stranger")], ["aud": .text("keys")], ["aud": .text("KEYS")],
            ["aud": .number(7)],
        ]
        let issuer = try await TokenIssuer([.init("shared")], claims.map { .init("shared", $0) })
        func refusals(_ expectation: TokenExpectation) async throws -> [TokenRefusal?] {
            let keyring = TokenKeyring(
                expecting: expectation,
                fetch: { [UInt8](issuer.jwks) },
                uptime: { .zero },
                onKeys: { _ in },
                onFailure: { _, _ in }
            )
            try await keyring.refresh()
            return issuer.tokens.map { text in
                do throws(TokenRefusal) {
                    _ = try keyring.token(text)
                    return nil
                } catch {
                    return error
                }
            }
        }
        #expect(try await refusals(TokenExpectation()) == Array(repeating: nil, count: claims.count))
        let (audience, other) = (TokenRefusal.otherAudience, TokenRefusal.otherIssuer)
        #expect(
            try await refusals(TokenExpectation(audience: "keys"))
                == [audience, nil, nil, audience, audience, nil, nil, audience, audience]
        )
        #expect(
            try await refusals(TokenExpectation(issuer: "login"))
                == [other, nil, nil, nil, nil, other, other, other, other]
        )
        #expect(
            try await refusals(TokenExpectation(audience: "keys", issuer: "login"))
                == [audience, nil, nil, audience, audience, other, other, audience, audience]
        )
    }
}

extension TokenIssuer.Token {
    /// Does not say which key has signed it.
    fileprivate static func unnamed(_ key: String) -> Self {
        var token = Self(key)
        token.isNamed = false
        return token
    }
}
