import ContentProtection
import FairPlay
import FairPlaySupport
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import KeyServing

/// Requests of devices of Apple, in each of the forms in which they ask.
@Suite struct FairPlayResponderTests {
    private func device(
        _ keyID: KeyID = TestKeys.video.keyID,
        _ credentials: TestCredentials = .bits2048
    ) throws -> TestDevice {
        var device = try TestDevice(.two, credentials)
        device[.assetID] = Array("live/\(keyID)".utf8)
        return device
    }

    private func request(_ body: ByteBuffer, _ type: String?, isPersistent: Bool = false) -> KeyRequest.Subject {
        .fairPlay(body, contentType: type, isPersistent: isPersistent)
    }

    private func base64(_ spc: ByteBuffer) -> String { Data(spc.readableBytesView).base64EncodedString() }

    @Test func theBytesAreAnsweredWithBytes() async throws {
        let fixture = try await ResponderFixture([.init()])
        for type in [nil, "application/octet-stream"] {
            let answer = fixture.answer(request(try device().spc(), type), token: 0)
            #expect(answer.status == 200 && answer.contentType == "application/octet-stream")
            let license = try #require(try device().open(answer.body))
            #expect(license.contentKey == TestKeys.video.contentKey.secret)
            #expect(license.iv == TestKeys.video.constantIV)
        }
        #expect(fixture.log.all[0].contains("keys=\(TestKeys.video.keyID) status=200 system=fairplay"))
        #expect(fixture.log.numbers == ["status"])
    }

    @Test func base64IsAnsweredWithBase64() async throws {
        let fixture = try await ResponderFixture()
        let text = base64(try device().spc())
        let form = "spc=\(text.replacing("+", with: "%2B").replacing("/", with: "%2F"))&assetId=x"
        let requests = [
            (text, "text/plain; charset=utf-8"), (form, "application/x-www-form-urlencoded"),
            ("assetId=x&spc=\(text)", "application/x-www-form-urlencoded"),
        ]
        for (body, type) in requests {
            let answer = fixture.answer(request(ByteBuffer(string: body), type))
            #expect(answer.status == 200 && answer.contentType == "text/plain")
            let ckc = try #require(Data(base64Encoded: String(buffer: answer.body)))
            #expect(try device().open(ByteBuffer(bytes: ckc))?.contentKey == TestKeys.video.contentKey.secret)
        }
    }

    @Test func aListIsAnsweredOneByOne() async throws {
        let fixture = try await ResponderFixture([.init("shared", ["classes": .list(["audio"])])])
        let devices = [
            try device(TestKeys.audio.keyID, .bits2048Next), try device(), try device(KeyID(Bytes16(high: 5, low: 5))),
        ]
        let items = try devices.enumerated().map { "{\"id\":\($0 + 1),\"spc\":\"\(base64(try $1.spc()))\"}" }
        let body = "{\"fairplay-streaming-request\":{\"create-ckc\":[\(items.joined(separator: ","))]}}"
        let answer = fixture.answer(request(ByteBuffer(string: body), "application/json"), token: 0)
        #expect(answer.status == 200)
        let json =
            try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: [String: Any]]
        let list = try #require(json?["fairplay-streaming-response"]?["create-ckc"] as? [[String: Any]])
        #expect(list.map { $0["id"] as? Int } == [1, 2, 3])
        #expect(list.map { $0["error"] as? String } == [nil, "other-class", "key-unknown"])
        #expect(list.map { ($0["status"] as? Int) == 0 } == [true, false, false])
        let ckc = try #require((list[0]["ckc"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(try devices[0].open(ByteBuffer(bytes: ckc))?.contentKey == TestKeys.audio.contentKey.secret)
        let alone = "{\"fairplay-streaming-request\":{\"create-ckc\":[\(items[1])]}}"
        #expect(fixture.answer(request(ByteBuffer(string: alone), "application/json"), token: 0).status == 403)
        // A list without any key counts as refused, with a reason.
        #expect(fixture.responder.counters.totals.granted == 1)
        #expect(fixture.responder.counters.totals.refused == ["other-class": 1])
        #expect(fixture.log.all.last?.contains("refusal=other-class") == true)
    }

    @Test func termsAreTheTokensAndElseTheOperators() async throws {
        let fixture = try await ResponderFixture(
            [
                .init(), .init("shared", ["lease": .number(90), "rental": .number(600), "persistent": .flag(true)]),
                .init("shared", ["lease": .number(0), "rental": .number(0)]), .init("shared", ["lease": .number(150)]),
            ],
            lease: 120,
            terms: .init(videoHDCP: .type1)
        )
        func license(_ token: Int, isPersistent: Bool = false) throws -> TestLicense? {
            let answer = fixture.answer(request(try device().spc(), nil, isPersistent: isPersistent), token: token)
            return try device().open(answer.body)
        }
        let (lease, both, stored) = (try license(0), try license(1), try license(1, isPersistent: true))
        #expect(lease?.values[.keyDuration]?.prefix(4) == [0, 0, 0, 120])
        // 0 is no limit of the token's own, and none can be longer than the operator's.
        for token in [2, 3] {
            #expect(try license(token)?.values[.keyDuration] == lease?.values[.keyDuration], "token \(token)")
        }
        #expect(both?.values[.keyDuration]?.prefix(8) == [0, 0, 0, 90, 0, 0, 2, 88])
        #expect(stored?.values[.offlineKey] != nil)
        #expect(lease?.values[.offlineKey] == nil)
        #expect(lease?.values[.hdcp]?.prefix(8) == KeyTerms.HDCP.type1.rawValue.bytes[...])
        let refused = fixture.answer(request(try device().spc(), nil, isPersistent: true), token: 0)
        #expect(refused.status == 403 && refused.error == "persistent-not-allowed")
    }

    /// Key IDs are in playlists, and channels share the credentials of the process.
    @Test func channelsWithoutFairPlayHaveNoKeysHere() async throws {
        let fixture = try await ResponderFixture()
        for systems: Set<KeySystem> in [[.widevine], [.widevine, .playready], [.identity, .clearkey]] {
            let answer = fixture.answer(request(try device().spc(), nil), from: TestKeys(systems: systems))
            #expect(answer.status == 404 && answer.error == "key-unknown", "\(systems)")
        }
    }

    /// A stored key has no lease, so that it takes the word of a token.
    @Test(arguments: [(nil, 200), (60, 403)] as [(UInt32?, Int)])
    func keysWithALeaseAreNotStoredWithoutAToken(lease: UInt32?, status: Int) async throws {
        let fixture = try await ResponderFixture(lease: lease)
        let answer = fixture.answer(request(try device().spc(), nil, isPersistent: true))
        #expect(answer.status == status)
        #expect(answer.error == (status == 200 ? nil : "persistent-not-allowed"))
    }

    /// Whoever sends the blocks of a captured request in another order gets no decrypted bytes in the answer.
    @Test(
        arguments: [
            .blockLength(TLLVTag(rawValue: 0x1122_3344_5566_7788), 0x99AA_BBCC),
            .valueBeyondBlock(TLLVTag(rawValue: 0x1122_3344_5566_7788), value: 0x99AA_BBCC, block: 32),
            .blockBeyondEnd(TLLVTag(rawValue: 0x1122_3344_5566_7788), block: 0x99AA_BBC0, rest: 16),
            .valueLength(TLLVTag(rawValue: 0x1122_3344_5566_7788), 0x99AA_BBCC),
            .tagOfServer(TLLVTag(rawValue: 0x1122_3344_5566_7788)),
            .duplicateTag(TLLVTag(rawValue: 0x1122_3344_5566_7788)),
            .protocolVersion(used: 0x1122_3344, supported: [0x5566_7788]),
        ] as [FairPlayError]
    )
    func aRefusalSaysNothingOfDecryptedBytes(error: FairPlayError) {
        let refusal = KeyRefusal(error)
        #expect(refusal.status == 400 && refusal.number == error.number)
        #expect(refusal.detail == error.description, "the log says more")
        #expect(refusal.message == "the contents of the SPC are not what they should be (\(error.number))")
    }

    @Test(arguments: [nil, DisplayProtection.type1])
    func displaysProtectWhatTheOperatorAndElseTheKeySays(operators: DisplayProtection?) async throws {
        let fixture = try await ResponderFixture(terms: .init(videoHDCP: operators))
        let keys = TestKeys.classes + [TestKeys.lenient, TestKeys.video, TestKeys.audio]
        let protection = try keys.map { key in
            let answer = fixture.answer(request(try device(key.keyID).spc(), nil))
            return try device(key.keyID).open(answer.body)?.values[.hdcp].map { $0.prefix(8) }
        }
        let expected: [KeyTerms.HDCP?] =
            operators == nil
            ? [.notRequired, .type0, .type1, .type1, .type0, nil, .notRequired]
            : [.type1, .type1, .type1, .type1, .type1, .type1, .notRequired]
        #expect(protection == expected.map { $0.map { $0.rawValue.bytes[...] } })
    }

    /// A licence asks for what the playlists of the channel ask for, and for nothing else.
    @Test(arguments: [(OutputProtection.none, nil), (.type0, .type0), (.type1, .type1)] as [(_, KeyTerms.HDCP?)])
    func displaysProtectWhatThePlaylistsSay(playlists: OutputProtection, expected: KeyTerms.HDCP?) async throws {
        let fixture = try await ResponderFixture()
        for key in TestKeys.classes + [TestKeys.lenient, TestKeys.video, TestKeys.audio] {
            let answer = fixture.answer(
                request(try device(key.keyID).spc(), nil),
                from: TestKeys(outputProtection: playlists)
            )
            let protection = try device(key.keyID).open(answer.body)?.values[.hdcp].map { $0.prefix(8) }
            let wanted = key.keyClass.isVideo ? expected : .notRequired
            #expect(protection == wanted.map { $0.rawValue.bytes[...] }, "\(key.keyClass)")
        }
    }

    @Test func whatIsNoRequestIsRefused() async throws {
        let fixture = try await ResponderFixture()
        let certificate = ByteBuffer(bytes: try TestCredentials.bits2048.certificate())
        let requests: [(ByteBuffer, String?, Int)] = [
            (ByteBuffer(), nil, 400), (certificate, nil, 400), (ByteBuffer(string: "?"), "text/plain", 400),
            (ByteBuffer(string: "{}"), "application/json", 400),
            (ByteBuffer(string: "assetId=x"), "application/x-www-form-urlencoded", 400),
            (ByteBuffer(string: "{\"fairplay-streaming-request\":{\"create-ckc\":[]}}"), "application/json", 400),
            (ByteBuffer(string: "<spc/>"), "application/xml", 415),
            (ByteBuffer(repeating: 0, count: 1 << 20), nil, 413),
        ]
        for (body, type, status) in requests {
            let answer = fixture.answer(request(body, type))
            #expect(answer.status == status, "\(type ?? "") \(String(buffer: answer.body))")
            #expect(answer.error != nil)
        }
        let posted = fixture.answer(request(certificate, nil))
        #expect(String(buffer: posted.body).contains("\"number\":-42580"))
    }
}
