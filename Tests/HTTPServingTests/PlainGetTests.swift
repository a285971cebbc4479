import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

@Suite struct PlainGetTests {
    private static func get(_ text: String) -> PlainGet? { PlainGet(ByteBuffer(string: text)) }

    private static func get(target: String = "/live/a.m3u8", fields: String) -> PlainGet? {
        get("GET \(target) HTTP/1.1\r\nHost: origin\r\n\(fields)\r\n")
    }

    @Test func itsPartsAreFound() throws {
        let get = try #require(
            Self.get(
                target: "/live/video-1080p/7.m4s?CMCD=sid%3D%22a%22&x",
                fields: "accept-ENCODING: gzip, br\r\nUser-Agent: player/1 (x; y)\r\nCMCD-Session: sid=\"1\"\r\n"
                    + "Referer: https://a/b?c\r\nConnection: Keep-Alive\r\nCMCD-Object: br=3\r\nX: \"\\#\r\n"
            )
        )
        #expect(get.text(get.path) == "/live/video-1080p/7.m4s")
        #expect(get.text(get.target) == "/live/video-1080p/7.m4s?CMCD=sid%3D%22a%22&x")
        #expect(get.hasQuery)
        #expect(get.acceptEncoding.map(get.text) == "gzip, br")
        #expect(get.userAgent.map(get.text) == "player/1 (x; y)")
        #expect(get.referer.map(get.text) == "https://a/b?c")
        #expect(get.reports.map(get.text) == ["sid=\"1\"", "br=3"])
    }

    @Test func otherFieldsAreFoundByName() throws {
        let fields = "Cookies: a\r\nX-Cookie: b\r\ncOOKIE: c=d; e\r\nCookie: f\r\nA: b\r\n"
        let get = try #require(Self.get(fields: fields))
        #expect(get.value(of: "cookie").map(get.text) == "c=d; e")
        #expect(get.value(of: "a").map(get.text) == "b")
        #expect(get.value(of: "host").map(get.text) == "origin")
        #expect(get.value(of: "cookie2") == nil && get.value(of: "x") == nil)
    }

    @Test func theBeginningOfAPathIsLeftOut() throws {
        var get = try #require(
            Self.get(target: "/t/secret/live/a.m3u8?b", fields: "Referer: http://a/t/secret/live/\r\n")
        )
        get.dropPathPrefix(9)
        #expect(get.text(get.path) == "/live/a.m3u8" && get.text(get.target) == "/live/a.m3u8?b" && get.hasQuery)
        #expect(get.referer == nil)
        #expect(get.value(of: "host").map(get.text) == "origin")
    }

    @Test(arguments: [
        "Cache-Control: no-cache\r\nPragma: no-cache\r\n", "Origin: https://a\r\nSec-Fetch-Mode: cors\r\nDNT: 1\r\n",
        "Accept: */*\r\nAccept-Language: de, en;q=0.5\r\nPriority: u=1\r\n",
        "X-Playback-Session-Id: A-B\r\nTE: trailers\r\n",
        "Upgrade-Insecure-Requests: 1\r\nCookie: a=b\r\nX-Forwarded-For: 192.0.2.1\r\nVia: 1.1 cache\r\n", "",
    ])
    func fieldsThatChangeNothingAreTaken(fields: String) throws {
        let get = try #require(Self.get(fields: fields))
        #expect(!get.hasQuery)
        #expect(get.acceptEncoding == nil && get.userAgent == nil && get.referer == nil && get.reports.isEmpty)
    }

    @Test(arguments: [
        "Range: bytes=0-1", "If-None-Match: *", "if-range: \"a\"", "Content-Length: 0", "Transfer-Encoding: chunked",
        "Expect: 100-continue", "Upgrade: h2c", "HTTP2-Settings: a", "Connection: close", "Connection: keep-alive, TE",
        "Proxy-Connection: close", "Trailer: a", "Host: other", "Accept-Encoding: a\r\nAccept-Encoding: b",
        "User-Agent: a\r\nUser-Agent: b", "Referer: a\r\nReferer: b", "Empty: ", "Empty:", "No-Space:a",
        "Two-Spaces:  a",
        "Space-Behind: a ", "Space-Before : a", "Tab:\ta", "Tab: a\tb", "Folded: a\r\n b", "Delete: \u{7F}",
        "Umlaut: ä",
        "Na/me: a", ": a", "No colon", "Null: \u{0}", "A: b\nC: d", "A: b\rC: d",
    ])
    func whatMayChangeTheAnswerIsLeftToTheParser(fields: String) {
        #expect(Self.get(fields: fields + "\r\n") == nil)
    }

    @Test(arguments: [
        "", "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\r\nHost: abcdefg\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%61 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /?# HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\t HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nx\r\n\r\n",
    ])
    func whatIsNotOneWholePlainRequestIsLeftToTheParser(text: String) {
        #expect(Self.get(text) == nil)
    }

    @Test func aHeadOfManyFieldsIsLeftToTheParser() {
        let field = "X: y\r\n"
        #expect(Self.get(fields: String(repeating: field, count: 63)) != nil)
        #expect(Self.get(fields: String(repeating: field, count: 64)) == nil)
    }

    // MARK: The parser

    /// Changes heads at random, the same way each time: what is taken must mean the same to the parser.
    @Test func whatIsTakenMeansTheSameToTheParser() throws {
        var random = Numbers(state: 7)
        var taken = 0
        for _ in 0..<20_000 {
            let bytes = ByteBuffer(bytes: Self.head(&random))
            guard let get = PlainGet(bytes) else { continue }
            taken += 1
            let head = try Self.parsed(bytes)
            try #require(head.method == .GET && head.version == .http1_1 && !head.isLastOfConnection)
            try #require(head.uri == get.text(get.target))
            try #require(head.inOriginForm()?.uri == head.uri)
            try #require(head.uri.prefix { $0 != "?" } == get.text(get.path))
            for (name, value) in [
                ("Accept-Encoding", get.acceptEncoding), ("User-Agent", get.userAgent), ("Referer", get.referer),
            ] {
                try #require(head.headers[name] == (value.map { [get.text($0)] } ?? []))
            }
            try #require(
                head.headers.filter { $0.name.lowercased().hasPrefix("cmcd-") }.map { $0.value }
                    == get.reports.map(get.text)
            )
            for (name, _) in head.headers {
                let name = name.lowercased()
                try #require(!["range", "expect", "upgrade", "content-length", "transfer-encoding"].contains(name))
                try #require(!name.hasPrefix("if-"))
            }
        }
        #expect(taken > 1_000)
    }

    private struct Numbers {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    private static let fields = [
        "Accept: */*", "Accept-Encoding: gzip", "accept-encoding: br;q=1, gzip", "User-Agent: a/1",
        "Referer: http://a/?b",
        "CMCD-Request: bl=1", "cmcd-status: bs", "Connection: keep-alive", "Connection: close", "Range: bytes=0-",
        "If-None-Match: \"a\"", "Content-Length: 0", "Transfer-Encoding: chunked", "Expect: 100-continue",
        "Upgrade: h2c",
        "Host: b", "Cookie: a=b; c=d", "X-Playback-Session-Id: 1", "TE: trailers", "Keep-Alive: timeout=5",
    ]
    private static let targets = ["/", "/live/index.m3u8", "/live/v/1.m4s?CMCD=bl%3D1", "/a?b?c/d", "//", "/a;b=c,d"]

    private static func head(_ random: inout Numbers) -> [UInt8] {
        var text = "GET \(targets[random.next(below: targets.count)]) HTTP/1.1\r\nHost: a\r\n"
        for _ in 0..<random.next(below: 5) { text += fields[random.next(below: fields.count)] + "\r\n" }
        var bytes = Array((text + "\r\n").utf8)
        for _ in 0..<random.next(below: 3) {
            let index = random.next(below: bytes.count)
            switch random.next(below: 3) {
            case 0: bytes[index] = UInt8(random.next(below: 256))
            case 1: bytes.insert(Array(" \t\r\n:%-?#\u{7F}".utf8)[random.next(below: 10)], at: index)
            default: bytes.remove(at: index)
            }
        }
        return bytes
    }

    private static func parsed(_ bytes: ByteBuffer) throws -> HTTPRequestHead {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addRequestDecoder(maximumHeadBytes: 16_384)
        try channel.writeInbound(bytes)
        guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self),
            case .end(nil)? = try channel.readInbound(as: HTTPServerRequestPart.self)
        else { throw HTTPParserError.unknown }
        let more = try channel.readInbound(as: HTTPServerRequestPart.self)
        #expect(more == nil)
        return head
    }
}
