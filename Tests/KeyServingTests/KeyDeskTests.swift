import ContentProtection
import Foundation
import KeyServing
import MediaCore
import NIOCore
import TestSupport
import Testing

/// Who gets which key, and what the others are told.
@Suite struct KeyDeskTests {
    private static let unknown = KeyID(Bytes16(high: 5, low: 5))

    @Test func whoeverHasATokenGetsTheKey() async throws {
        let desk = try await TestDesk([.init("shared", ["sub": .text("viewer \"17\"\n")])])
        let answer = desk.answer(.key(TestKeys.video.keyID), token: 0)
        #expect(answer.status == 200)
        #expect(answer.contentType == "application/octet-stream")
        #expect(answer.body == ByteBuffer(bytes: TestKeys.video.contentKey.secret.bytes))
        #expect(desk.desk.counters.totals.granted == 1 && desk.desk.counters.totals.refused == [:])
        #expect(
            desk.log.all == [
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
        let desk = try await TestDesk([
            .init("shared", ["exp": .number(-1)]), .init("shared", ["nbf": .number(86_400)]),
            .init("shared", ["channel": .list(["news"])]), .init("shared", ["classes": .list(["audio"])]), .stranger,
        ])
        let answer = desk.answer(.key(TestKeys.video.keyID), token: token, channel: channel)
        #expect(answer.status == status)
        #expect(answer.error == error)
        #expect((answer.retryAfter != nil) == isTemporary)
        #expect(String(buffer: answer.body).contains("\"fatal\":\(!isTemporary)"))
        #expect(desk.desk.counters.totals.refused == [error: 1])
    }

    @Test func keysThatAreNotThereAndKeysOfOthersLookAlike() async throws {
        let desk = try await TestDesk([.init()])
        let answer = desk.answer(.key(Self.unknown), token: 0)
        #expect(answer.status == 404 && answer.error == "key-unknown")
        let early = desk.answer(.key(TestKeys.coming), token: 0)
        #expect(early.status == 425 && early.error == "key-early" && early.retryAfter == 8)
    }

    @Test func oneRequestGetsSeveralKeys() async throws {
        let desk = try await TestDesk([.init(), .init("shared", ["classes": .list(["audio"])])])
        let ids = [TestKeys.video.keyID, TestKeys.audio.keyID, Self.unknown].map { "\"\($0.base64URL)\"" }
        let request = { (ids: [String]) in
            KeyRequest.Subject.clearKey(ByteBuffer(string: "{\"kids\":[\(ids.joined(separator: ","))]}"))
        }
        let all = desk.answer(request(ids), token: 0)
        #expect(String(buffer: all.body) == ClearKeyLicense.response([TestKeys.video, TestKeys.audio]))
        let audio = desk.answer(request(ids), token: 1)
        #expect(String(buffer: audio.body) == ClearKeyLicense.response([TestKeys.audio]))
        #expect(desk.answer(request([ids[0]]), token: 1).error == "other-class")
        #expect(desk.answer(request([ids[2]]), token: 0).error == "key-unknown")
        for body in ["", "{}", "{\"kids\":[]}", "{\"kids\":[\"x\"]}", "[]"] {
            let answer = desk.answer(.clearKey(ByteBuffer(string: body)), token: 0)
            #expect(answer.status == 400 && answer.error == "request-malformed", "\(body)")
        }
        let stored = desk.answer(
            .clearKey(ByteBuffer(string: "{\"kids\":[\(ids[0])],\"type\":\"persistent-license\"}")),
            token: 0
        )
        #expect(stored.status == 403 && stored.error == "persistent-not-allowed")
    }

    @Test(
        arguments: [(nil, nil, ""), (60, nil, ",\"lease\":60"), (60, 20, ",\"lease\":20"), (nil, 20, ",\"lease\":20")]
            as [(UInt32?, Int?, String)]
    )
    func aLeaseIsTheShorterOfTheOperatorsAndTheTokens(operators: UInt32?, tokens: Int?, words: String) async throws {
        let claims = tokens.map { ["lease": TokenIssuer.Token.Claim.number($0)] } ?? [:]
        let desk = try await TestDesk([.init("shared", claims)], lease: operators)
        let body = ByteBuffer(string: "{\"kids\":[\"\(TestKeys.video.keyID.base64URL)\"]}")
        let answer = String(buffer: desk.answer(.clearKey(body), token: 0).body)
        #expect(answer.hasSuffix("],\"type\":\"temporary\"\(words)}"))
    }

    @Test func nobodyAsksTooOften() async throws {
        let desk = try await TestDesk([.init(), .init("shared", ["sub": .text("another")])], perMinute: 3)
        let ask = { token in desk.answer(.key(TestKeys.video.keyID), token: token) }
        #expect((0..<3).allSatisfy { _ in ask(0).status == 200 })
        let refused = ask(0)
        #expect(refused.status == 429 && refused.error == "too-many-requests")
        #expect((1...40).contains(try #require(refused.retryAfter)))
        #expect(ask(1).status == 200)
        #expect(ask(nil).status == 401)
    }

    @Test func neitherKeysNorTokensAreOnRecord() async throws {
        let desk = try await TestDesk([.init()])
        let answer = desk.answer(.key(TestKeys.video.keyID), token: 0)
        let record = desk.log.all.joined() + "\(answer)"
        #expect(!record.contains(TestKeys.video.contentKey.secret.hex))
        #expect(!record.contains(desk.tokens[0].suffix(20)))
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
