import CPIX
import ContentProtection
import Foundation
import MediaCore
import Testing

@testable import KeySources

/// The messages to a key server, and the meaning of its answers.
@Suite struct SPEKEExchangeTests {
    private static let request = SPEKERequest(
        contentID: "news & more",
        scheme: .cbcs,
        periods: CryptoPeriods(slotsPerPeriod: 2),
        slotDuration: MediaTime(seconds: 4),
        period: CryptoPeriod(220_903_200),
        classes: KeyClasses(),
        systems: [.identity]
    )

    /// A server's document for a request.
    private static func body(
        of request: SPEKERequest = request,
        _ change: (inout CPIXDocument) -> Void = { _ in }
    ) throws -> [UInt8] {
        var document = try request.document(SPEKEDialect())
        for index in document.keys.indices {
            document.keys[index].value = ContentKey(Bytes16(high: 5, low: UInt64(index)))
        }
        change(&document)
        return Array(try document.xml().utf8)
    }

    private static func answer(_ body: [UInt8], version: String? = "2.1") -> SPEKEExchange.Reply {
        .answer(status: 200, version: version, contentType: "application/xml; charset=utf-8", body: body)
    }

    private static func refusal(_ status: Int, _ text: String) -> SPEKEExchange.Reply {
        .answer(status: status, version: nil, contentType: "text/plain", body: Array(text.utf8))
    }

    /// The message of a failure; nil if there is none.
    private static func complaint(_ action: SPEKEExchange.Action) -> String? {
        if case .fail(let error) = action { error.description } else { nil }
    }

    @Test func allClassesAreAskedForInOneDocument() throws {
        let exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        let message = try exchange.message()
        #expect(message.fields.map(\.name) == ["Content-Type", "X-Speke-Version"])
        #expect(message.fields.map(\.value) == ["application/xml", "2.1"])
        let document = try CPIXDocument(parsing: message.body.utf8)
        #expect(document.contentID == "news & more")
        #expect(document.version == "2.4")
        #expect(document.keys.map(\.value) == [nil, nil])
        #expect(document.keys.map(\.scheme) == [.cbcs, .cbcs])
        #expect(document.keys.allSatisfy { $0.explicitIV == $0.keyID.bytes })
        let start = try #require(document.periods.first?.start)
        #expect(start.iso8601 == "2026-01-01T00:00:00.000Z")
        #expect(document.periods.first?.end == start + MediaTime(seconds: 8))
        #expect(document.periods.first?.index == 220_903_200)
        #expect(document.usageRules.map(\.trackType) == ["VIDEO", "AUDIO"])
        #expect(Set(document.usageRules.flatMap(\.periodIDs)) == Set(document.periods.compactMap(\.id)))
        #expect(Set(document.systems.map(\.keyID)) == Set(document.keys.map(\.keyID)))
    }

    @Test func eachClassIsAskedForWithItsFilter() throws {
        var request = Self.request
        request.classes = KeyClasses(apart: VideoClass.allCases)
        for version: SPEKEVersion in [.minor1, .minor0] {
            let rules = try request.document(SPEKEDialect(version: version)).usageRules
            #expect(rules.map(\.trackType) == ["AUDIO", "SD", "HD", "UHD", "HDR"])
            #expect(rules.map(\.audio.count) == [1, 0, 0, 0, 0])
            #expect(rules.flatMap(\.video).map(\.maxPixels) == [589_824, 2_073_600, nil, nil])
            #expect(rules.flatMap(\.video).map(\.minPixels) == [nil, 589_825, 2_073_601, nil])
            #expect(rules.flatMap(\.video).map(\.isHDR) == [false, false, false, true])
            #expect(Set(rules.map(\.keyID)).count == 5)
        }
    }

    @Test func eachSystemIsAskedFor() throws {
        var request = Self.request
        request.systems = [.fairplay, .widevine]
        let document = try request.document(SPEKEDialect())
        let names = ["94ce86fb-07ff-4f43-adb8-93d2fa968ca2", "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"]
        #expect(document.systems.map(\.systemID) == names + names)
        #expect(document.systems.map(\.pssh) == [nil, [], nil, []])
        #expect(document.systems.allSatisfy { $0.signaling.map(\.playlist) == ["media", "master"] })
        var exchange = try SPEKEExchange(request, SPEKEDialect(), trust: DocumentTrust())
        let body = try Self.body(of: request) { document in
            let line = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
            document.systems[0].signaling = [.init(playlist: "media", lines: line)]
        }
        guard case .deliver(let keys) = exchange.received(Self.answer(body)) else {
            Issue.record("no keys")
            return
        }
        #expect(keys.map(\.signalling) == [[.fairplay: KeySignalling(uri: "skd://x")], [:]])
    }

    @Test func keyIDsAreTheSameForEverAndDifferByAllThatTheyName() throws {
        let names = try ["a", "b"].flatMap { content in
            try [1, 2].flatMap { period in
                try KeyClasses().all.map { try KeyID(content: content, period: CryptoPeriod(period), $0) }
            }
        }
        #expect(Set(names).count == 8)
        for name in names {
            let digits = Array(name.description)
            #expect(digits[12] == "8", "version of RFC 9562")
            #expect("89ab".contains(digits[16]), "variant")
        }
        #expect(
            try KeyID(content: "live", period: CryptoPeriod(1), .video).description
                == KeyID(content: "live", period: CryptoPeriod(1), .video).description
        )
    }

    @Test func keysAreTakenByTheirIDs() throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        let body = try Self.body { document in
            document.keys.reverse()
            document.keys[0].explicitIV = Bytes16(high: 7, low: 7)
        }
        guard case .deliver(let keys) = exchange.received(Self.answer(body)) else {
            Issue.record("no keys")
            return
        }
        #expect(keys.map(\.keyClass) == KeyClasses().all)
        #expect(keys.map(\.period) == [Self.request.period, Self.request.period])
        #expect(keys.map(\.contentKey.secret.low) == [0, 1])
        #expect(keys[0].constantIV == keys[0].keyID.bytes)
        #expect(keys[1].constantIV == Bytes16(high: 7, low: 7))
    }

    /// A page that says where to go is for people with browsers.
    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectIsToldWithTheSettingToChange(status: Int) throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        let complaint = Self.complaint(exchange.received(Self.refusal(status, "<html>Moved</html>")))
        let remedy = "redirects are not followed: name the URL that answers in key-source"
        #expect(complaint == "it answered \(status), and \(remedy)")
    }

    @Test(arguments: ["Unsupported SPEKE version", "ERROR: unsupported CPIX@version."])
    func anOlderServerIsAskedInItsVersion(text: String) throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        guard case .retry(let pause) = exchange.received(Self.refusal(422, text)) else {
            Issue.record("it is not asked again")
            return
        }
        #expect(pause == .zero)
        let message = try exchange.message()
        #expect(message.fields.last?.value == "2.0")
        let document = try CPIXDocument(parsing: message.body.utf8)
        #expect(document.version == "2.3")
        #expect(document.periods.map(\.start) == [nil])
        #expect(document.periods.map(\.index) == [Self.request.period.index])
        guard case .deliver = exchange.received(Self.answer(try Self.body(), version: "2.0")) else {
            Issue.record("no keys")
            return
        }
        // There is nothing older to fall back to.
        #expect(Self.complaint(exchange.received(Self.refusal(422, text))) == "it answered 422: \(text)")
    }

    /// SPEKE 2.1 says `master` of the multivariant playlist, and the schema of CPIX 2.4 does not know that word.
    @Test func aServerThatGoesByTheSchemaIsAskedInItsWords() throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        guard case .retry(let pause) = exchange.received(Self.refusal(400, "'master' is not an element of the set"))
        else {
            Issue.record("it is not asked again")
            return
        }
        #expect(pause == .zero)
        let document = try CPIXDocument(parsing: try exchange.message().body.utf8)
        #expect(document.version == "2.4")
        #expect(document.systems.allSatisfy { $0.signaling.map(\.playlist) == ["media", "multiVariant"] })
        guard case .deliver = exchange.received(Self.answer(try Self.body())) else {
            Issue.record("no keys")
            return
        }
        // The next one begins with what was understood, and goes back if that is no longer so.
        var next = try SPEKEExchange(Self.request, exchange.dialect, trust: DocumentTrust())
        #expect(try next.message().body.contains("\"multiVariant\""))
        _ = next.received(Self.refusal(422, "'multiVariant' is unknown"))
        #expect(try next.message().body.contains("\"master\""))
    }

    @Test func whatTheOlderVersionHasNoWordForIsSaid() throws {
        var request = Self.request
        request.scheme = .aes128
        #expect(try request.document(SPEKEDialect()).keys.first?.scheme == .aes128)
        #expect(throws: KeySourceError.self) { try request.document(SPEKEDialect(version: .minor0)) }
        request.scheme = .sampleAES
        #expect(try request.document(SPEKEDialect(version: .minor0)).keys.first?.scheme == .cbcs)
    }

    @Test func aRefusalIsPassedOnInTheServersWords() throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        guard case .retry = exchange.received(Self.refusal(422, "Missing\r\n CPIX@contentId\u{1B}[31m")) else {
            Issue.record("it may have been the words")
            return
        }
        let action = exchange.received(Self.refusal(422, "'multiVariant' is unknown"))
        #expect(Self.complaint(action) == "it answered 422: Missing CPIX@contentId [31m")
    }

    /// Other words would not help with a server that demands credentials, or that is older.
    @Test func otherRefusalsAreFinal() throws {
        for status in [401, 403, 404, 407] {
            var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
            #expect(Self.complaint(exchange.received(Self.refusal(status, "no"))) == "it answered \(status): no")
        }
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(version: .minor0), trust: DocumentTrust())
        #expect(Self.complaint(exchange.received(Self.refusal(400, "no"))) == "it answered 400: no")
    }

    @Test func whatMayPassIsTriedAgainAFewTimes() throws {
        for reply in [SPEKEExchange.Reply.none(reason: "no complete answer in time"), Self.refusal(503, "busy")] {
            var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
            var pauses: [Duration] = []
            while case .retry(let pause) = exchange.received(reply) { pauses.append(pause) }
            #expect(pauses == [.milliseconds(500), .seconds(1)])
            guard case .deliver = exchange.received(Self.answer(try Self.body())) else {
                Issue.record("no keys")
                return
            }
        }
    }

    @Test func anAnswerThatIsNoneOfSPEKEIsRefused() throws {
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        let body = try Self.body()
        let cases: [(SPEKEExchange.Reply, String)] = [
            (Self.answer(body, version: nil), "it has no X-Speke-Version"),
            (Self.answer(body, version: "2.0"), "it is in SPEKE 2.0, and was asked for in 2.1"),
            (.answer(status: 200, version: "2.1", contentType: "text/html", body: body), "Content-Type is text/html"),
            (.answer(status: 200, version: "2.1", contentType: nil, body: body), "Content-Type is missing"),
            (Self.answer(Array("<html>".utf8)), "not well-formed"),
            (Self.answer(try Self.body { $0.contentID = "other" }), "it is for content 'other'"),
            (Self.answer(try Self.body { $0.keys[1].value = nil }), "it has no value for key"),
            (
                Self.answer(
                    try Self.body { document in
                        document.keys.removeLast()
                        document.usageRules.removeLast()
                        document.systems.removeLast()
                    }
                ), "which was asked for audio"
            ),
        ]
        for (reply, message) in cases {
            let complaint = try #require(Self.complaint(exchange.received(reply)))
            #expect(complaint.contains(message), "\(complaint)")
        }
        let short = String(decoding: body, as: UTF8.self)
            .replacing(
                /<pskc:PlainValue>[^<]*</,
                with: "<pskc:PlainValue>\(Data(repeating: 0x5A, count: 15).base64EncodedString())<"
            )
        let complaint = try #require(Self.complaint(exchange.received(Self.answer(Array(short.utf8)))))
        #expect(complaint.contains("a content key has 16 bytes, and this one 15"), "\(complaint)")
        #expect(!complaint.contains("WlpaWl"), "a key is shown")
    }

    /// A document with keys may come with any status of success.
    @Test(arguments: [201, 202, 203, 299])
    func aSuccessIsNotQuoted(status: Int) throws {
        let secret = "QUJDREVGR0hJSktMTU5PUA=="
        var exchange = try SPEKEExchange(Self.request, SPEKEDialect(), trust: DocumentTrust())
        let complaint = try #require(Self.complaint(exchange.received(Self.refusal(status, "<PlainValue>\(secret)"))))
        #expect(complaint.contains("\(status)") && !complaint.contains(secret))
    }
}
