import ContentProtection
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import KeyServing

/// Tokens of an independent issuer.
@Suite struct TokenKeysTests {
    private static let keys: [TokenIssuer.Key] = [.init("h"), .init("e", "ES256"), .init("r", "RS256")]

    /// In whole seconds, as claims have it.
    private static var now: MediaTime { MediaTime(seconds: Int64(Date.now.timeIntervalSince1970)) }

    private func issue(
        _ tokens: [TokenIssuer.Token],
        _ keys: [TokenIssuer.Key] = keys
    ) async throws -> (keys: TokenKeys, tokens: [String]) {
        let issuer = try await TokenIssuer(keys, tokens)
        return (try TokenKeys(jwks: issuer.jwks), issuer.tokens)
    }

    @Test func eachAlgorithmIsVerified() async throws {
        let (keys, tokens) = try await issue(["h", "e", "r"].map { .init($0, ["sub": .text("viewer of \($0)")]) })
        #expect(keys.count == 3)
        #expect(try tokens.map { try keys.token($0).subject } == ["viewer of h", "viewer of e", "viewer of r"])
    }

    @Test func claimsAreRead() async throws {
        let begun = Self.now
        let (keys, tokens) = try await issue([
            .init(
                "h",
                [
                    "channel": .list(["live", "news"]), "classes": .list(["audio"]), "nbf": .number(60),
                    "persistent": .flag(true), "lease": .number(120), "rental": .number(7200),
                    "storage": .number(86_400), "playback": .number(3600),
                ]
            ),
            .init("h"),
        ])
        let token = try keys.token(tokens[0])
        #expect(token.channels == ["live", "news"])
        #expect(token.classes == [.audio])
        #expect(token.isPersistent)
        #expect(
            [token.durations.lease, token.durations.rental, token.durations.storage, token.durations.playback]
                == [120, 7200, 86_400, 3600]
        )
        let hour = MediaTime(seconds: 3600)
        #expect(token.expires >= begun + hour && token.expires <= Self.now + hour)
        #expect(throws: TokenRefusal.otherChannel) { try token.check(channel: "sports") }
        #expect(throws: TokenRefusal.otherClass) { try token.check(.video) }
        #expect(throws: TokenRefusal.expired) { try token.check(at: token.expires) }
        try token.check(at: token.expires - MediaTime(milliseconds: 1))
        let begin = try #require(token.notBefore)
        #expect(throws: TokenRefusal.early(seconds: 2)) { try token.check(at: begin - MediaTime(milliseconds: 1500)) }
        try token.check(at: begin)
        let plain = try keys.token(tokens[1])
        #expect(plain.classes == Set(KeyClass.allCases))
        #expect(!plain.isPersistent && plain.notBefore == nil && plain.subject == nil)
    }

    @Test func whatIsForgedOrDamagedIsRefused() async throws {
        var forged = TokenIssuer.Token("e")
        forged.key = "stranger"
        var confused = TokenIssuer.Token("r")
        confused.alg = "HS256"
        var critical = TokenIssuer.Token("h")
        critical.header = ["crit": .list(["exp"]), "exp": .number(1)]
        let (keys, tokens) = try await issue(
            [
                forged, confused, critical, .init("h", ["exp": .text("soon")]), .init("h", ["channel": .number(1)]),
                .init("h", ["classes": .list(["subtitles"])]), .init("h", ["exp": .number(Int(Int32.max) * 1000)]),
                .init("h"),
            ],
            Self.keys + [.init("stranger", "ES256", hidden: true)]
        )
        for token in tokens.dropLast() {
            #expect(throws: TokenRefusal.invalid, "\(token)") { try keys.token(token) }
        }
        let good = try #require(tokens.last)
        _ = try keys.token(good)
        for length in [0, 1, good.count / 2, good.count - 1] {
            #expect(throws: TokenRefusal.invalid) { try keys.token(String(good.prefix(length))) }
        }
        #expect(throws: TokenRefusal.invalid) { try keys.token(good + String(repeating: "A", count: 9000)) }
        // No signature at all (RFC 8725 § 2.1).
        let none = "eyJhbGciOiJub25lIn0." + good.split(separator: ".")[1] + "."
        #expect(throws: TokenRefusal.self) { try keys.token(String(none)) }
    }

    @Test func whoeverHasAnUnknownKeyIsNotTrusted() async throws {
        let (keys, tokens) = try await issue([.init("x")], Self.keys + [.init("x", hidden: true)])
        #expect(throws: TokenRefusal.unknownKey) { try keys.token(tokens[0]) }
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"keys\":1}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2hvcnQ\"}]}",
        "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}",
        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\"}]}",
    ])
    func whatIsNoSetOfUsableKeysIsRefused(json: String) {
        #expect(throws: TokenKeysError.self) { try TokenKeys(jwks: json.utf8) }
    }
}
