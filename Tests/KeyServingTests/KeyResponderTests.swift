import ContentProtection
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import KeyServing

/// Requests for keys: which are granted, and what the others are told.
@Suite struct KeyResponderTests {
    private static let unknown = KeyID(Bytes16(high: 5, low: 5))

    @Test func whoeverHasATokenGetsTheKey() async throws {
        let fixture = try await ResponderFixture([.init("shared", ["sub": .text("viewer \"17\"\n")])])
        let answer = fixture.answer(.key(TestKeys.video.keyID), token: 0)
        #expect(answer.status == 200)
        #expect(answer.contentType == "application/octet-stream")
        #expect(answer.body == ByteBuffer(bytes: TestKeys.video.contentKey.secret.bytes))
        #expect(fixture.responder.counters.totals.granted == 1 && fixture.responder.counters.totals.refused == [:])
        #expect(
            fixture.log.all == [
                "channel=live classes=video keys=\(TestKeys.video.keyID) status=200 subject=viewer??17?? system=identity"
            ]
        )
    }

    @Test(
        arguments: [
            (nil, "live", 401, "token-missing", false), (0, "live", 401, "token-expired", false),
            (1, "live", 401, "token-early", true), (2, "live", 403, "other-channel", false),
            (3, "live", 403, "other-class", false), (4, "live", 401, "token-key-unknown", false),
        ] as [(Int?, String, Int, String, Bool)]
    )
    func othersAreToldWhy(token: Int?, channel: String, status: Int, error: String, isTemporary: Bool) async throws {
        let fixture = try await ResponderFixture([
            .init("shared", ["exp": .number(-1)]), .init("shared", ["nbf": .number(86_400)]),
            .init("shared", ["channel": .list(["news"])]), .init("shared", ["classes": .list(["audio"])]), .stranger,
        ])
        let answer = fixture.answer(.key(TestKeys.video.keyID), token: token, channel: channel)
        #expect(answer.status == status)
        #expect(answer.error == error)
        #expect((answer.retryAfter != nil) == isTemporary)
        #expect(String(buffer: answer.body).contains("\"fatal\":\(!isTemporary)"))
        #expect(fixture.responder.counters.totals.refused == [error: 1])
    }

    @Test func keysThatAreNotThereAndKeysOfOthersLookAlike() async throws {
        let fixture = try await ResponderFixture([.init()])
        let answer = fixture.answer(.key(Self.unknown), token: 0)
        #expect(answer.status == 404 && answer.error == "key-unknown")
        let early = fixture.answer(.key(TestKeys.coming), token: 0)
        #expect(early.status == 425 && early.error == "key-early" && early.retryAfter == 8)
    }

    @Test func oneRequestGetsSeveralKeys() async throws {
        let fixture = try await ResponderFixture([.init(), .init("shared", ["classes": .list(["audio"])])])
        let ids = [TestKeys.video.keyID, TestKeys.audio.keyID, Self.unknown].map { "\"\($0.base64URL)\"" }
        let request = { (ids: [String]) in
            KeyRequest.Subject.clearKey(ByteBuffer(string: "{\"kids\":[\(ids.joined(separator: ","))]}"))
        }
        let all = fixture.answer(request(ids), token: 0)
        #expect(String(buffer: all.body) == ClearKeyLicense.response([TestKeys.video, TestKeys.audio]))
        let audio = fixture.answer(request(ids), token: 1)
        #expect(String(buffer: audio.body) == ClearKeyLicense.response([TestKeys.audio]))
        #expect(fixture.answer(request([ids[0]]), token: 1).error == "other-class")
        #expect(fixture.answer(request([ids[2]]), token: 0).error == "key-unknown")
        for body in ["", "{}", "{\"kids\":[]}", "{\"kids\":[\"x\"]}", "[]"] {
            let answer = fixture.answer(.clearKey(ByteBuffer(string: body)), token: 0)
            #expect(answer.status == 400 && answer.error == "request-malformed", "\(body)")
        }
    }

    /// Clear Key has no other licences, whatever a token allows.
    @Test(arguments: [(0, "persistent-license"), (1, "persistent-license"), (1, "persistent-usage-record"), (nil, "x")])
    func clearKeyLicencesAreForOneSession(token: Int?, type: String) async throws {
        let tokens: [TokenIssuer.Token] = [.init(), .init("shared", ["persistent": .flag(true)])]
        let fixture = try await ResponderFixture(token == nil ? nil : tokens)
        let body = "{\"kids\":[\"\(TestKeys.video.keyID.base64URL)\"],\"type\":\"\(type)\"}"
        let answer = fixture.answer(.clearKey(ByteBuffer(string: body)), token: token)
        #expect(answer.status == 400 && answer.error == "session-type-unsupported")
    }

    @Test(
        arguments: [(nil, nil, ""), (60, nil, ",\"lease\":60"), (60, 20, ",\"lease\":20"), (nil, 20, ",\"lease\":20")]
            as [(UInt32?, Int?, String)]
    )
    func aLeaseIsTheShorterOfTheOperatorsAndTheTokens(operators: UInt32?, tokens: Int?, words: String) async throws {
        let claims = tokens.map { ["lease": TokenIssuer.Token.Claim.number($0)] } ?? [:]
        let fixture = try await ResponderFixture([.init("shared", claims)], lease: operators)
        let body = ByteBuffer(string: "{\"kids\":[\"\(TestKeys.video.keyID.base64URL)\"]}")
        let answer = String(buffer: fixture.answer(.clearKey(body), token: 0).body)
        #expect(answer.hasSuffix("],\"type\":\"temporary\"\(words)}"))
    }

    @Test func nobodyAsksTooOften() async throws {
        let fixture = try await ResponderFixture([.init(), .init("shared", ["sub": .text("another")])], perMinute: 3)
        let ask = { token in fixture.answer(.key(TestKeys.video.keyID), token: token) }
        #expect((0..<3).allSatisfy { _ in ask(0).status == 200 })
        let refused = ask(0)
        #expect(refused.status == 429 && refused.error == "too-many-requests")
        #expect((1...40).contains(try #require(refused.retryAfter)))
        #expect(ask(1).status == 200)
        #expect(ask(nil).status == 401)
    }

    /// The last character of a signature has bits that mean nothing, and a signature of ES256 has a twin.
    @Test func aTokenHasOneRateHoweverItIsWritten() async throws {
        let fixture = try await ResponderFixture([.init("curve")], keys: [.init("curve", "ES256")], perMinute: 2)
        let token = fixture.tokens[0]
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last.flatMap { alphabet.firstIndex(of: $0) })
        for other in (last / 16 * 16)..<(last / 16 * 16 + 16) where other != last {
            #expect(fixture.ask(token.dropLast() + String(alphabet[other]), address: other).error == "token-invalid")
        }
        let twin = try token.withOtherNumberOfES256()
        #expect(twin != token)
        #expect([token, twin].map { fixture.ask($0, address: 1).status } == [200, 200])
        #expect([token, twin].map { fixture.ask($0, address: 1).status } == [429, 429])
    }

    @Test func aClockThatIsSetBackRefusesNobody() async throws {
        let fixture = try await ResponderFixture([.init()], perMinute: 1)
        #expect(fixture.ask(fixture.tokens[0], address: 1).status == 200)
        #expect(fixture.ask(fixture.tokens[0], address: 1).status == 429)
        fixture.clocks.advance(MediaTime(seconds: 60), setting: MediaTime(seconds: -3600))
        #expect(fixture.ask(fixture.tokens[0], address: 1).status == 200)
    }

    @Test func neitherKeysNorTokensAreOnRecord() async throws {
        let fixture = try await ResponderFixture([.init()])
        let answer = fixture.answer(.key(TestKeys.video.keyID), token: 0)
        let record = fixture.log.all.joined() + "\(answer)"
        #expect(!record.contains(TestKeys.video.contentKey.secret.hex))
        #expect(!record.contains(fixture.tokens[0].suffix(20)))
    }
}

extension String {
    /// The same token with the other signature that is as good: (r, n − s) in place of (r, s).
    fileprivate func withOtherNumberOfES256() throws -> String {
        let parts = split(separator: ".")
        let base64 = parts[2].replacing("-", with: "+").replacing("_", with: "/") + "=="
        var signature = [UInt8](try #require(Data(base64Encoded: String(base64))))
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let n = try #require([UInt8](hexDigits: order))
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(n[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            signature[32 + index] = UInt8(difference + borrow * 256)
        }
        let text = Data(signature).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "\(parts[0]).\(parts[1]).\(text)"
    }
}

extension TokenIssuer.Token {
    /// Names a key that nobody knows.
    fileprivate static var stranger: Self {
        var token = Self("unheard of")
        token.key = "shared"
        return token
    }
}
