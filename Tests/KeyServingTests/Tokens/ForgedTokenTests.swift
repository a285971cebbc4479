import Foundation
import MediaCore
import TestSupport
import Testing

@testable import KeyServing

/// Tokens by which somebody without a key tries to get in.
@Suite struct ForgedTokenTests {
    private static let secret = [UInt8](repeating: 7, count: 32)
    private static let claims = #"{"channel":"live","exp":9999999999}"#

    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func token(_ header: String, _ claims: String = claims, signature: [UInt8]) -> String {
        [Array(header.utf8), Array(claims.utf8), signature].map(base64URL).joined(separator: ".")
    }

    /// Signed by RFC 7515's own key on the curve.
    private static let curve = PublishedTokenTests.examples[2]

    private static func curveToken(_ change: (inout [UInt8]) -> Void) throws -> SignedToken {
        let parts = curve.token.split(separator: ".")
        var signature = try #require([UInt8](base64URL: parts[2].utf8))
        change(&signature)
        return try #require(SignedToken("\(parts[0]).\(parts[1]).\(base64URL(signature))"))
    }

    @Test func aSignatureOnACurveIsTwoNumbersInRange() throws {
        let key = try TokenKey(JSONDecoder().decode(JSONWebKey.self, from: Data(Self.curve.key.utf8)))
        let order = try #require(
            [UInt8](hexDigits: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        )
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(key.verifies(try Self.curveToken { _ in }))
        let changes: [(String, (inout [UInt8]) -> Void)] = [
            ("empty", { $0 = [] }), ("cut off", { $0.removeLast() }), ("longer", { $0.append(0) }),
            ("r alone", { $0.removeLast(32) }), ("r is 0", { $0.replaceSubrange(..<32, with: zeros) }),
            ("s is 0", { $0.replaceSubrange(32..., with: zeros) }), ("both are 0", { $0 = zeros + zeros }),
            ("r is n", { $0.replaceSubrange(..<32, with: order) }),
            ("s is n", { $0.replaceSubrange(32..., with: order) }),
            ("r and s change places", { $0 = Array($0[32...] + $0[..<32]) }),
            ("DER", { $0 = [0x30, 69, 2, 32] + $0[..<32] + [2, 33, 0] + $0[32...] }),
            ("psychic", { $0 = [UInt8](repeating: 0xFF, count: 64) }),
        ]
        for (name, change) in changes { #expect(!key.verifies(try Self.curveToken(change)), "\(name)") }
    }

    @Test func aSignatureIsAsLongAsItsKeySays() throws {
        for example in PublishedTokenTests.examples {
            let key = try TokenKey(JSONDecoder().decode(JSONWebKey.self, from: Data(example.key.utf8)))
            let parts = example.token.split(separator: ".")
            let signature = try #require([UInt8](base64URL: parts[2].utf8))
            for forged in [[], signature.dropLast(), signature + [0], [0] + signature, signature + signature] {
                let token = try #require(SignedToken("\(parts[0]).\(parts[1]).\(Self.base64URL(forged))"))
                #expect(!key.verifies(token), "\(example.section), \(forged.count) bytes")
            }
        }
    }

    private static func keys() throws -> TokenKeys {
        let secret = #"{"kty":"oct","kid":"h","k":"\#(base64URL(secret))"}"#
        let named = zip(["a", "r", "e"], PublishedTokenTests.examples).dropFirst().map { name, example in
            example.key.replacing("{\"kty\"", with: "{\"kid\":\"\(name)\",\"kty\"")
        }
        return try TokenKeys(jwks: "{\"keys\":[\(([secret] + named).joined(separator: ","))]}".utf8)
    }

    /// A public key, which everybody knows, is no shared secret; and a secret is no public key.
    @Test(arguments: ["a", "r", "e", "h"], ["HS256", "RS256", "ES256"])
    func aKeyHasOneAlgorithm(kid: String, algorithm: String) throws {
        let keys = try Self.keys()
        #expect(keys.count == 3)
        let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)"}"#
        for count in [0, 32, 64, 256] {
            let token = Self.token(header, signature: [UInt8](repeating: 1, count: count))
            let expected = kid == "a" ? TokenRefusal.unknownKey : .invalid
            #expect(throws: expected) { try keys.token(token) }
        }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None","kid":"h"}"#, #"{"alg":"","kid":"h"}"#, #"{"alg":"hs256","kid":"h"}"#,
        #"{"alg":"HS384","kid":"h"}"#, #"{"alg":"HS512","kid":"h"}"#, #"{"alg":"PS256","kid":"r"}"#,
        #"{"alg":"RS1","kid":"r"}"#, #"{"alg":"ES384","kid":"e"}"#, #"{"alg":"ES256K","kid":"e"}"#,
        #"{"alg":"EdDSA","kid":"e"}"#, #"{"alg":"HS256 ","kid":"h"}"#,
    ])
    func otherAlgorithmsAreRefusedInWords(header: String) throws {
        let keys = try Self.keys()
        #expect(throws: TokenRefusal.otherAlgorithm) {
            try keys.token(Self.token(header, signature: [UInt8](repeating: 1, count: 64)))
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"alg\":null}", "{\"alg\":[\"HS256\"]}", "{\"alg\":\"HS256\",\"kid\":7}",
        "{\"alg\":\"HS256\",\"kid\":\"h\",\"crit\":[]}", "{\"alg\":\"HS256\",\"kid\":\"h\",\"crit\":null}",
        "{\"alg\":\"HS256\",\"kid\":\"h\",\"b64\":false,\"crit\":[\"b64\"]}", "{\"alg\":\"HS256\"", "\u{1}",
    ])
    func whatIsNoHeaderIsRefused(header: String) throws {
        let keys = try Self.keys()
        #expect(throws: TokenRefusal.invalid) { try keys.token(Self.token(header, signature: [1])) }
    }

    /// RFC 7515 § 2 and RFC 4648 § 3.5: bytes are written in one way.
    @Test func aTokenHasOneSpelling() throws {
        for example in PublishedTokenTests.examples {
            #expect(SignedToken(example.token) != nil)
            let parts = example.token.split(separator: ".").map(String.init)
            for index in parts.indices {
                var changed = parts
                for text in [
                    parts[index] + "=", parts[index] + "==", parts[index] + "A", parts[index] + "\n",
                    " " + parts[index], parts[index].replacing("_", with: "/") + "/",
                ] {
                    changed[index] = text
                    let token = changed.joined(separator: ".")
                    let isOther = [UInt8](base64URL: text.utf8).map { Self.base64URL($0) == text } ?? false
                    #expect(SignedToken(token) == nil || isOther, "\(token)")
                }
            }
        }
        for text in ["", ".", "..", "...", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", ".e30.e30"] {
            #expect(SignedToken(text) == nil, "\(text)")
        }
    }

    @Test func longTokensAreRefusedUnread() throws {
        let good = PublishedTokenTests.examples[0].token
        for text in [good + String(repeating: "A", count: 9000), String(repeating: ".", count: 10_000_000)] {
            #expect(SignedToken(text) == nil)
        }
        let deep = Self.token(String(repeating: "[", count: 5000), signature: [1])
        #expect(SignedToken(deep) == nil)
    }

    @Test func damagedTokensAreRefusedAndNeverTrap() throws {
        var random = SeededGenerator(seed: 11)
        let keys = try Self.keys()
        let tokens = PublishedTokenTests.examples.map { Array($0.token.utf8) }
        for index in 0..<5000 {
            var bytes = tokens[index % tokens.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            #expect(throws: TokenRefusal.self) { try keys.token(String(decoding: bytes, as: UTF8.self)) }
        }
    }
}
