import HTTPServing
import KeyServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// Playlists and media for those who have shown a token.
@Suite struct PassGateTests {
    private static let paths = ["index.m3u8", "video-1080p.m3u8", "video-1080p/450000009.m4s", "audio-en/init.mp4"]

    /// An origin that asks for passes, with a clock that a test moves.
    private struct Stage {
        let server: OriginServer
        let open: OriginServer
        let tokens: [String]
        let key: PassKey

        final class Clock: Sendable {
            /// Seconds.
            let offset = Atomic<Int>(0)
            var now: MediaTime { SystemClock().wallClock + MediaTime(seconds: Int64(offset.load(ordering: .relaxed))) }
        }
        let clock = Clock()
        let log = LogLines(level: .info)
        let written = Written()

        final class Written: Sendable {
            private let state = Mutex("")
            var text: String { state.withLock { $0 } }
            var sink: AccessLog.Sink {
                AccessLog.Sink(.text) { lines, _ in self.state.withLock { $0 += lines + "\n" } }
            }
        }

        init(
            _ form: MediaAuthorization.Form = .path,
            tokens: [TokenIssuer.Token] = [.init()],
            perMinute: Int? = nil
        ) async throws {
            let issuer = try await TokenIssuer([.init("shared")], tokens)
            self.tokens = issuer.tokens
            let keyring = TokenKeyring(
                fetch: { [UInt8](issuer.jwks) },
                uptime: { .zero },
                onKeys: { _ in },
                onFailure: { _, _ in }
            )
            try await keyring.refresh()
            let keyResponder = KeyResponder(
                tokens: keyring,
                requestsPerMinute: perMinute,
                now: { [clock] in clock.now },
                uptime: { .zero },
                logger: Logger(label: "keys") { [log] _ in log }
            )
            key = try PassKey(secret: Array(repeating: 7, count: 32)) { [clock] in clock.now }
            open = try Fixture.server()
            server = OriginServer(
                configuration: OriginConfiguration(port: 0),
                channels: try Fixture.channels(),
                keyResponder: keyResponder,
                mediaAuthorization: MediaAuthorization(form: form, key: key, keyResponder: keyResponder),
                now: { Fixture.now },
                logger: Logger(label: "origin") { _ in LogLines(level: .info) },
                accessLog: written.sink
            )
        }

        func fetch(_ target: String, _ fields: HTTPHeaders = [:], _ method: HTTPMethod = .GET) -> Answer {
            let request = Request(method, target, fields, client: 5)
            let answer =
                switch server.entrance.verdict(on: request) {
                case .answer(.answer(let answer)): answer
                case .answer(.work(let work)), .answer(.reading(_, let work)): work()
                default: Rejection(.internalServerError, "this is no answer").answer()
                }
            return server.entrance.finish(answer, request, duration: .zero)
        }

        func prepared(_ target: String, _ fields: HTTPHeaders = [:]) throws -> PreparedAnswer? {
            let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
            let get = PlainGet(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n"))
            return server.entrance.prepared(for: try #require(get))
        }

        /// A pass as viewers get it.
        func pass(to channel: String = "live", seconds: Int64 = 60) -> String {
            key.pathPrefix(for: channel, lasting: seconds)
        }
    }

    private static func isRefused(_ answer: Answer, _ status: HTTPResponseStatus, _ error: String) -> Bool {
        answer.status == status && String(buffer: answer.body).contains("\"error\":\"\(error)\"")
            && answer.fields["Cache-Control"] == ["no-store"]
            && answer.fields["Access-Control-Allow-Origin"] == ["*"]
    }

    // MARK: Refusals

    @Test(arguments: paths)
    func nobodyHasAnythingWithoutAPass(path: String) async throws {
        let stage = try await Stage()
        let answer = stage.fetch("/live/\(path)")
        #expect(Self.isRefused(answer, .unauthorized, "token-missing"))
        #expect(answer.fields["WWW-Authenticate"] == ["Bearer realm=\"media\""])
        // A channel that is not there looks like others.
        #expect(Self.isRefused(stage.fetch("/none/\(path)"), .unauthorized, "token-missing"))
        _ = stage.fetch(stage.pass() + "/live/\(path)")
        #expect(try stage.prepared("/live/\(path)") == nil)
    }

    @Test(arguments: [
        "past/1800000000-/index.m3u8", "past/-30/video-1080p.m3u8", "recordings/a/index.m3u8",
        "recordings/a/video/7.m4s",
    ])
    func thePastAndRecordingsNeedAPass(path: String) async throws {
        let stage = try await Stage()
        for method in [HTTPMethod.GET, .HEAD] {
            let answer = stage.fetch("/live/\(path)", [:], method)
            #expect(answer.status == .unauthorized && answer.fields["WWW-Authenticate"] == ["Bearer realm=\"media\""])
            #expect(stage.fetch("\(stage.pass())/live/\(path)", [:], method).status == .notFound)
        }
        #expect(Self.isRefused(stage.fetch("/live/\(path)"), .unauthorized, "token-missing"))
        #expect(stage.fetch("/live/\(path)?token=\(stage.tokens[0])").status == .found)
        #expect(stage.fetch("\(stage.pass())/live/\(path)").status == .notFound, "nothing is recorded here")
    }

    /// Load balancers ask for playlists as they are; whatever waits or reads the disk takes a viewer's place.
    @Test(arguments: [
        "index.m3u8?start=1800000000", "video-1080p.m3u8?_HLS_msn=450000010", "video-1080p/450000009.m4s",
        "audio-en/init.mp4",
    ])
    func whatMayWaitNeedsAPassWithoutABodyToo(path: String) async throws {
        let answer = try await Stage().fetch("/live/\(path)", [:], .HEAD)
        #expect(answer.status == .unauthorized && answer.fields["WWW-Authenticate"] == ["Bearer realm=\"media\""])
    }

    @Test func othersAreToldWhy() async throws {
        let stage = try await Stage(tokens: [
            .init("shared", ["exp": .number(-1)]), .init("shared", ["channel": .text("other"), "sub": .text("ana")]),
            .init("shared", ["nbf": .number(86_400)]),
        ])
        let refusals: [(HTTPResponseStatus, String)] = [
            (.unauthorized, "token-expired"), (.forbidden, "other-channel"), (.unauthorized, "token-early"),
        ]
        for (token, (status, error)) in zip(stage.tokens.indices, refusals) {
            #expect(Self.isRefused(stage.fetch("/live/index.m3u8?token=\(stage.tokens[token])"), status, error))
            let fields: HTTPHeaders = ["Authorization": "Bearer \(stage.tokens[token])"]
            #expect(Self.isRefused(stage.fetch("/live/index.m3u8", fields), status, error))
        }
        #expect(
            Self.isRefused(stage.fetch(stage.pass(to: "other") + "/live/index.m3u8"), .unauthorized, "pass-invalid")
        )
        let pass = stage.pass(seconds: 60)
        #expect(stage.fetch(pass + "/live/index.m3u8").status == .ok)
        stage.clock.offset.store(61, ordering: .relaxed)
        #expect(Self.isRefused(stage.fetch(pass + "/live/index.m3u8"), .unauthorized, "pass-expired"))
        #expect(try stage.prepared(pass + "/live/index.m3u8") == nil)
        #expect(stage.log.all.contains("info media request channel=live refusal=pass-expired"))
        #expect(stage.log.all.contains("info media request channel=live refusal=other-channel subject=ana"))
        #expect(!stage.log.all.contains { line in stage.tokens.contains { line.contains($0.suffix(16)) } })
    }

    /// One that is refused is held to the rate, by its address; one with a pass is not counted.
    @Test func refusalsAreCounted() async throws {
        let stage = try await Stage(perMinute: 3)
        for _ in 0..<3 { #expect(stage.fetch("/live/index.m3u8").status == .unauthorized) }
        for target in ["/live/index.m3u8", stage.pass(to: "other") + "/live/index.m3u8"] {
            let answer = stage.fetch(target)
            #expect(Self.isRefused(answer, .tooManyRequests, "too-many-requests"))
            #expect(answer.fields.contains(name: "Retry-After"))
        }
        for _ in 0..<9 { #expect(stage.fetch(stage.pass() + "/live/index.m3u8").status == .ok) }
        #expect(
            stage.fetch("/live/index.m3u8?token=\(stage.tokens[0])").status == .found,
            "a token has a count of its own"
        )
    }

    // MARK: Paths

    @Test(arguments: ["index.m3u8", "video-1080p.m3u8"])
    func aTokenLeadsToAPathWithAPass(path: String) async throws {
        let stage = try await Stage()
        let query = "?token=\(stage.tokens[0])&_HLS_skip=YES"
        let answer = stage.fetch("/live/\(path)\(query)")
        #expect(answer.status == .found && answer.fields["Cache-Control"] == ["no-store"])
        let location = try #require(answer.fields.first(name: "Location"))
        // Relative to /live/: it holds below a prefix of a proxy.
        let place = try #require(location.wholeMatch(of: /\.\.(\/t\/[0-9a-f]{64}-[0-9]+)(\/live\/[^?]*)(\?.*)/))
        #expect(place.2 == "/live/\(path)" && place.3 == query)
        #expect(stage.fetch("\(place.1)\(place.2)").status == .ok)
        let fields: HTTPHeaders = ["Authorization": "Bearer \(stage.tokens[0])"]
        let other = stage.fetch("/live/\(path)", fields).fields.first(name: "Location")
        #expect(other == "..\(place.1)/live/\(path)")
        // A portal may escape characters of the name, for which the pass is as well.
        let escaped = stage.fetch("/%6Cive/\(path)\(query)").fields.first(name: "Location")
        #expect(escaped == location)
    }

    /// The pass in the address may be over, while the token is a new one.
    @Test func aTokenRenewsAPass() async throws {
        let stage = try await Stage()
        let target = stage.pass(seconds: -1) + "/live/index.m3u8?token=\(stage.tokens[0])"
        let location = try #require(stage.fetch(target).fields.first(name: "Location"))
        #expect(location.hasPrefix("../../../t/") && location.contains("/live/index.m3u8?token="))
    }

    @Test(arguments: paths)
    func whoHasAPassHasWhatOthersHaveWithoutTokens(path: String) async throws {
        let stage = try await Stage()
        let pass = stage.pass()
        let plain = stage.open.fetch("/live/\(path)")
        let parsed = stage.fetch("\(pass)/live/\(path)")
        #expect(parsed.status == .ok && parsed.body == plain.body && parsed.fields == plain.fields)
        let prepared = try #require(try stage.prepared("\(pass)/live/\(path)?CMCD=bl%3D4000"))
        #expect(prepared.body == plain.body && prepared.head.bytes == plain.encodedHead)
    }

    @Test func noPassIsInTheLog() async throws {
        let stage = try await Stage()
        let pass = stage.pass()
        let target = "\(pass)/live/video-1080p/450000009.m4s"
        let fields: HTTPHeaders = ["Referer": "http://a\(pass)/live/index.m3u8"]
        _ = stage.fetch(target, fields)
        _ = try #require(try stage.prepared(target, fields))
        _ = stage.fetch("\(stage.pass(to: "other"))/live/index.m3u8", fields)
        stage.server.responder.log.flush()
        let lines = stage.written.text.split(separator: "\n")
        #expect(
            lines.count == 3 && lines.allSatisfy { $0.contains("\"GET /live/") && $0.contains("\"-\"") },
            "\(lines)"
        )
        #expect(!stage.written.text.contains("/t/"))
    }

    /// A good pass may be in a path that none is read from.
    @Test(arguments: ["", "?a=b", "#a", "%2F", "/t/"])
    func whatStandsInThePlaceOfAPassIsInNoLog(rest: String) async throws {
        let stage = try await Stage()
        let pass = stage.pass()
        let escaped = pass.replacing("-", with: "%2d") + "/live/index.m3u8"
        let padded = pass.replacing("-", with: "-0") + "/live/index.m3u8"
        let signature = pass.dropFirst(MediaPass.directory.count).prefix(64)
        let hidden = pass.replacing("/t/", with: "/%74/") + "/live/index.m3u8"
        for target in [pass, escaped, padded, "\(pass)\(pass)/live/index.m3u8", hidden, "/" + pass].map({ $0 + rest }) {
            #expect(stage.fetch(target).status != .ok)
        }
        _ = stage.fetch("/live/keys.json", ["Referer": "http://a\(pass)/live/index.m3u8"])
        stage.server.responder.log.flush()
        #expect(stage.written.text.split(separator: "\n").count == 7)
        #expect(!stage.written.text.contains(signature), "\(stage.written.text)")
        #expect(stage.written.text.contains("\"GET /t//live/index.m3u8"))
    }

    @Test(arguments: [
        "/live/../live/index.m3u8", "/live/./index.m3u8", "/live/%2e%2e/other/index.m3u8", "/live//index.m3u8", "/live",
        "/live/video-1080p/1/2/3.m4s",
    ])
    func aPassOpensNoOtherPaths(path: String) async throws {
        let stage = try await Stage()
        #expect(stage.fetch(stage.pass() + path).status != .ok)
        #expect(try stage.prepared("\(stage.pass())/live/none.m3u8") == nil)
    }

    // MARK: Cookies

    @Test func aTokenLeavesACookie() async throws {
        let stage = try await Stage(.cookie)
        let answer = stage.fetch("/live/index.m3u8?token=\(stage.tokens[0])")
        #expect(answer.status == .ok && answer.body == stage.open.fetch("/live/index.m3u8").body)
        #expect(answer.fields["Cache-Control"] == ["no-store"], "it has the cookie of one viewer")
        let field = try #require(answer.fields.first(name: "Set-Cookie"))
        let cookie = try #require(
            field.wholeMatch(
                of: /(packager_pass=[0-9a-f]{64}-[0-9]+); Path=\/live\/; Expires=.* GMT; HttpOnly; SameSite=Lax/
            )
        )
        let fields: HTTPHeaders = ["Cookie": "a=b; \(cookie.1)"]
        for path in Self.paths {
            let plain = stage.open.fetch("/live/\(path)")
            let parsed = stage.fetch("/live/\(path)", fields)
            #expect(parsed.body == plain.body && parsed.fields == plain.fields)
            let prepared = try #require(try stage.prepared("/live/\(path)", fields))
            #expect(prepared.body == plain.body && prepared.head.bytes == plain.encodedHead)
        }
        #expect(stage.fetch("/live/index.m3u8", ["Cookie": "a=b"]).status == .unauthorized)
        #expect(Self.isRefused(stage.fetch("/soon/index.m3u8", fields), .unauthorized, "pass-invalid"))
        // Over TLS pages of other sites have it, too.
        let secure: HTTPHeaders = ["X-Forwarded-Proto": "https"]
        let other = stage.fetch("/live/index.m3u8?token=\(stage.tokens[0])", secure).fields.first(name: "Set-Cookie")
        #expect(other?.hasSuffix("; HttpOnly; Secure; SameSite=None") == true)
    }

    /// RFC 9113 § 8.2.3.
    @Test func cookiesMayComeInSeveralFields() async throws {
        let stage = try await Stage(.cookie)
        let pass = stage.pass().dropFirst(MediaPass.directory.count)
        let fields: HTTPHeaders = ["Cookie": "a=b"]
        var both = fields
        both.add(name: "Cookie", value: "packager_pass=\(pass)")
        #expect(stage.fetch("/live/index.m3u8", both).status == .ok)
    }

    // MARK: What needs none

    @Test func pagesAndKeysNeedNoPass() async throws {
        let stage = try await Stage()
        for target in ["/", "/live/", "/channels.json", "/live/player.js", "/live/keys.json"] {
            for target in [target, stage.pass() + target] {
                #expect(stage.fetch(target).status == .ok, "\(target)")
            }
        }
        #expect(stage.fetch("/live").status == .permanentRedirect)
        // A key needs a token.
        let key = "/live/keys/\(Fixture.keyID)"
        #expect(Self.isRefused(stage.fetch(stage.pass() + key), .unauthorized, "token-missing"))
        #expect(stage.fetch("\(stage.pass())\(key)?token=\(stage.tokens[0])").status == .ok)
    }

    /// It has no media for an answer.
    @Test func loadBalancersAskHowAChannelIs() async throws {
        let stage = try await Stage()
        let answer = stage.fetch("/live/index.m3u8", [:], .HEAD)
        #expect(answer.status == .ok && answer.body.readableBytes == 0)
        #expect(stage.fetch("/soon/index.m3u8", [:], .HEAD).status == .serviceUnavailable)
        #expect(stage.fetch("/live/index.m3u8", [:], .POST).status == .methodNotAllowed)
    }
}
