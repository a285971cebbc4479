import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Testing

@testable import Origin

@Suite struct OriginResponderTests {
    private static func fetch(
        _ uri: String,
        _ method: HTTPMethod = .GET,
        _ headers: HTTPHeaders = [:],
        body: String = ""
    ) async throws -> Answer {
        try Fixture.server().fetch(uri, method, headers, body: body)
    }

    /// Status, fields and body as they are sent, without the fields that all answers share.
    private static func text(_ response: Answer, body: Bool = true) -> String {
        #expect(response.fields.first(name: "Access-Control-Allow-Origin") == "*")
        #expect(
            response.fields.first(name: "Access-Control-Expose-Headers")
                == "Age, CMSD-Dynamic, CMSD-Static, Content-Range, Date, ETag, Retry-After"
        )
        let shared = ["Access-Control-", "Priority", "CMSD-"]
        let fields = response.fields.filter { field in !shared.contains { field.name.hasPrefix($0) } }
        let lines = fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return "\(response.status.code)\n\(lines)\n" + (body ? "\n\(String(buffer: response.body))" : "")
    }

    private static func entityTag(_ uri: String) async throws -> String {
        try await fetch(uri).fields.first(name: "ETag") ?? ""
    }

    // MARK: Media

    @Test func aListedSegmentIsImmutableForTheWindow() async throws {
        let uri = "/live/video-1080p/450000009.m4s"
        let response = try await Self.fetch(uri)
        #expect(
            Self.text(response) == """
                200
                Cache-Control: public, max-age=28, immutable
                Content-Type: video/mp4
                ETag: \(try await Self.entityTag(uri))
                Accept-Ranges: bytes
                Content-Length: 10

                0123456789
                """
        )
    }

    @Test func anInitializationSectionIsServedLikeASegment() async throws {
        let response = try await Self.fetch("/live/audio-en/init.mp4")
        #expect(response.status == .ok)
        #expect(response.fields.first(name: "Content-Type") == "audio/mp4")
        #expect(response.fields.first(name: "Cache-Control") == "public, max-age=28, immutable")
        #expect(String(buffer: response.body) == "init")
    }

    @Test func aSegmentThatHasLeftTheWindowSaysUntilWhenItStays() async throws {
        let response = try await Self.fetch("/live/video-1080p/450000002.m4s")
        let expires = try #require(
            try Fixture.presentation().resource("video-1080p/450000002.m4s", now: Fixture.now).resource?.expires
        )
        #expect(response.status == .ok)
        #expect(response.fields.first(name: "Expires") == HTTPDate.text(expires))
        let seconds = (expires - Fixture.now).ticks / MediaTime.timescale
        #expect(response.fields.first(name: "Cache-Control") == "public, max-age=\(seconds), immutable")
    }

    @Test(arguments: [("index.m3u8", 6), ("video-1080p.m3u8", 3), ("audio-en.m3u8", 3)])
    func aPlaylistIsPlainUnlessGzipIsAskedFor(name: String, maxAge: Int) async throws {
        let resource = try #require(try Fixture.presentation().resource(name, now: Fixture.now).resource)
        let plain = try await Self.fetch("/live/\(name)")
        #expect(
            Self.text(plain) == """
                200
                Cache-Control: public, max-age=\(maxAge)
                Content-Type: application/vnd.apple.mpegurl
                Vary: Accept-Encoding
                ETag: \(resource.entityTag)
                Content-Length: \(resource.body.byteCount)

                \(String(buffer: resource.body.memory ?? ByteBuffer()))
                """
        )
        let gzip = try #require(resource.gzip)
        let compressed = try await Self.fetch("/live/\(name)", .GET, ["Accept-Encoding": "br, gzip"])
        #expect(
            Self.text(compressed, body: false) == """
                200
                Cache-Control: public, max-age=\(maxAge)
                Content-Type: application/vnd.apple.mpegurl
                Vary: Accept-Encoding
                Content-Encoding: gzip
                ETag: \(gzip.entityTag)
                Content-Length: \(gzip.body.readableBytes)

                """
        )
        #expect(compressed.body == gzip.body)
        #expect(resource.entityTag != gzip.entityTag)
        let refused = try await Self.fetch("/live/\(name)", .GET, ["Accept-Encoding": "gzip;q=0, *"])
        #expect(refused.body == resource.body.memory)
    }

    @Test func anUnchangedResourceIsNotSentAgain() async throws {
        let uri = "/live/video-1080p/450000009.m4s"
        let entityTag = try await Self.entityTag(uri)
        for field in [entityTag, "W/\(entityTag)", "\"x\", \(entityTag)", "*"] {
            let response = try await Self.fetch(uri, .GET, ["If-None-Match": field, "Range": "bytes=0-1"])
            #expect(
                Self.text(response) == """
                    304
                    Cache-Control: public, max-age=28, immutable
                    ETag: \(entityTag)


                    """
            )
        }
        #expect(try await Self.fetch(uri, .GET, ["If-None-Match": "\"x\""]).status == .ok)
        // A client that continues a download must not get bytes of something else.
        let rest = try await Self.fetch(uri, .GET, ["If-Match": "\"x\"", "Range": "bytes=0-1"])
        #expect(rest.status == .preconditionFailed)
        #expect(try await Self.fetch(uri, .GET, ["If-Match": "W/\(entityTag)"]).status == .preconditionFailed)
        #expect(try await Self.fetch(uri, .GET, ["If-Match": "\"x\", \(entityTag)"]).status == .ok)
        #expect(try await Self.fetch(uri, .GET, ["If-Match": "*"]).status == .ok)
    }

    @Test func formsOfAPlaylistAreToldApartByTheirTags() async throws {
        let uri = "/live/index.m3u8"
        let plainTag = try await Self.entityTag(uri)
        let gzip = try await Self.fetch(uri, .GET, ["If-None-Match": plainTag, "Accept-Encoding": "gzip"])
        #expect(gzip.status == .ok)
        let gzipTag = try #require(gzip.fields.first(name: "ETag"))
        let unchanged = try await Self.fetch(uri, .GET, ["If-None-Match": gzipTag, "Accept-Encoding": "gzip"])
        #expect(
            Self.text(unchanged) == """
                304
                Cache-Control: public, max-age=6
                Vary: Accept-Encoding
                ETag: \(gzipTag)


                """
        )
    }

    @Test(arguments: [
        ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-1", "9", "bytes 9-9/10"),
        ("bytes=0-", "0123456789", "bytes 0-9/10"),
    ])
    func aRangeOfASegmentIsPartialContent(range: String, body: String, contentRange: String) async throws {
        let response = try await Self.fetch("/live/video-1080p/450000009.m4s", .GET, ["Range": range])
        #expect(response.status == .partialContent)
        #expect(response.fields.first(name: "Content-Range") == contentRange)
        #expect(response.fields.first(name: "Content-Length") == String(body.utf8.count))
        #expect(String(buffer: response.body) == body)
    }

    @Test func aRangeBeyondTheEndIsNotSatisfiable() async throws {
        let response = try await Self.fetch("/live/video-1080p/450000009.m4s", .GET, ["Range": "bytes=10-"])
        #expect(
            Self.text(response) == """
                416
                Cache-Control: no-store
                Content-Type: text/plain; charset=utf-8
                Content-Length: 35
                Content-Range: bytes */10

                the range lies outside of 10 bytes

                """
        )
    }

    @Test func aRangeThatMeansNothingGetsTheWhole() async throws {
        let uri = "/live/video-1080p/450000009.m4s"
        for range in ["bytes=0-1,3-4", "bytes=4-2", "lines=1-2", "bytes"] {
            #expect(try await Self.fetch(uri, .GET, ["Range": range]).status == .ok)
        }
        #expect(try await Self.fetch("/live/index.m3u8", .GET, ["Range": "bytes=0-1"]).status == .ok)
        let head = try await Self.fetch(uri, .HEAD, ["Range": "bytes=0-1"])
        #expect(head.status == .ok)
        #expect(head.fields.first(name: "Content-Length") == "10")
    }

    @Test func whoTakesNoEncodingThatThereIsGetsNone() async throws {
        let segment = "/live/video-1080p/450000009.m4s"
        #expect(try await Self.fetch(segment, .GET, ["Accept-Encoding": "identity;q=0"]).status == .notAcceptable)
        #expect(try await Self.fetch(segment, .GET, ["Accept-Encoding": "gzip;q=0"]).status == .ok)
        let playlist = try await Self.fetch("/live/index.m3u8", .GET, ["Accept-Encoding": "gzip, identity; q=0"])
        #expect(playlist.status == .ok)
        #expect(playlist.fields.first(name: "Content-Encoding") == "gzip")
        let none = try await Self.fetch("/live/index.m3u8", .GET, ["Accept-Encoding": "*;q=0"])
        #expect(none.status == .notAcceptable)
    }

    @Test func ifRangeWithAnotherTagGetsTheWhole() async throws {
        let uri = "/live/video-1080p/450000009.m4s"
        let entityTag = try await Self.entityTag(uri)
        for (field, status) in [
            (entityTag, HTTPResponseStatus.partialContent), ("\"x\"", .ok), ("W/\(entityTag)", .ok),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .ok),
        ] {
            #expect(try await Self.fetch(uri, .GET, ["Range": "bytes=0-1", "If-Range": field]).status == status)
        }
    }

    @Test func aStoredBodyIsSharedNotCopied() async throws {
        let presentation = try Fixture.presentation()
        let resource = try #require(presentation.resource("video-1080p/450000009.m4s", now: Fixture.now).resource)
        let answer = try ResourceAnswer.answer(
            to: Request(.GET, "/"),
            with: resource,
            cacheControl: "no-store"
        )
        let stored = resource.body.memory?.withUnsafeReadableBytes { $0.baseAddress }
        #expect(answer.body.withUnsafeReadableBytes { $0.baseAddress } == stored)
    }

    // MARK: Keys

    @Test func aKeyIsSixteenBytesThatNobodyStores() async throws {
        let response = try await Self.fetch("/live/keys/\(Fixture.keyID)")
        #expect(
            Self.text(response) == """
                200
                Cache-Control: no-store
                Content-Type: application/octet-stream
                Content-Length: 16

                SECRETSECRETSECR
                """
        )
    }

    @Test(arguments: [
        "/live/keys/ffffffffffffffffffffffffffffffff", "/soon/keys/00000000000000010000000000000002", "/soon/keys.json",
        "/none/keys.json",
    ])
    func aKeyThatIsNotToBeHadIsNotFound(uri: String) async throws {
        let response = try await Self.fetch(uri)
        #expect(response.status == .notFound)
        #expect(response.fields.first(name: "Cache-Control") == "no-store")
    }

    @Test func aLicenceIsJSONThatNoCacheKeeps() async throws {
        let response = try await Self.fetch("/live/clearkey", .POST, body: "{}")
        #expect(
            Self.text(response) == """
                200
                Cache-Control: no-store
                Content-Type: application/json
                Content-Length: 11

                {"keys":[]}
                """
        )
    }

    @Test func theKeyScheduleIsJSONThatCachesKeep() async throws {
        let response = try await Self.fetch("/live/keys.json")
        let tag = try #require(response.fields.first(name: "ETag"))
        #expect(
            Self.text(response) == """
                200
                Content-Type: application/json
                Content-Length: 3
                Cache-Control: public, max-age=6
                ETag: \(tag)

                []

                """
        )
        let again = try await Self.fetch("/live/keys.json", .GET, ["If-None-Match": tag])
        #expect(Self.text(again, body: false) == "304\nCache-Control: public, max-age=6\nETag: \(tag)\n")
    }

    @Test(arguments: [
        ("hello", HTTPResponseStatus.badRequest, "not a ClearKey licence request\n"),
        ("", .badRequest, "not a ClearKey licence request\n"),
        ("!", .internalServerError, "internal server error\n"),
    ])
    func aBadLicenceRequestIsRefused(body: String, status: HTTPResponseStatus, reason: String) async throws {
        let response = try await Self.fetch("/live/clearkey", .POST, body: body)
        #expect(response.status == status)
        #expect(response.fields.first(name: "Cache-Control") == "no-store")
        #expect(String(buffer: response.body) == reason)
    }

    // MARK: Pages

    @Test(arguments: ["/", "/live/", "/soon/"])
    func thePlayerPageIsRevalidated(uri: String) async throws {
        let response = try await Self.fetch(uri)
        #expect(
            Self.text(response) == """
                200
                Cache-Control: no-cache
                Content-Type: text/html; charset=utf-8
                ETag: \(PlayerFile.page.entityTag)
                X-Content-Type-Options: nosniff
                Referrer-Policy: no-referrer
                Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                media-src * blob:; connect-src *; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                Content-Length: \(PlayerFile.page.body.readableBytes)

                \(String(buffer: PlayerFile.page.body))
                """
        )
        let unchanged = try await Self.fetch(uri, .GET, ["If-None-Match": PlayerFile.page.entityTag])
        #expect(unchanged.status == .notModified)
    }

    @Test(arguments: [
        ("/page.js", "text/javascript; charset=utf-8"), ("/live/page.js", "text/javascript; charset=utf-8"),
        ("/live/player.css", "text/css; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
        ("/outputs-and-players.html", "text/html; charset=utf-8"), ("/live/glossary.html", "text/html; charset=utf-8"),
    ])
    func playerFilesLieBesideThePage(uri: String, contentType: String) async throws {
        let response = try await Self.fetch(uri)
        #expect(response.status == .ok)
        #expect(response.fields.first(name: "Content-Type") == contentType)
        #expect(response.body.readableBytes > 0)
    }

    @Test func whatIsOnAirIsNoSecret() async throws {
        let presentation = try Fixture.presentation()
        var channel = OriginChannel(name: "live", presentation: presentation)
        channel.onAir = { ByteBuffer(string: #"{"renditions":[]}"#) }
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel, OriginChannel(name: "mute", presentation: presentation)],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
        #expect(
            Self.text(server.fetch("/live/on-air.json")) == """
                200
                Cache-Control: public, max-age=1
                Content-Type: application/json
                Content-Length: 17

                {"renditions":[]}
                """
        )
        for path in ["/mute/on-air.json", "/nobody/on-air.json"] {
            #expect(server.fetch(path).status == .notFound)
        }
    }

    @Test func channelsAreListed() async throws {
        let response = try await Self.fetch("/channels.json")
        #expect(
            Self.text(response) == """
                200
                Cache-Control: no-cache
                Content-Type: application/json
                Content-Length: 29

                {"channels":["live","soon"]}

                """
        )
    }

    @Test func aChannelWithoutItsSlashIsRedirected() async throws {
        for (query, caching) in [("", "max-age=3600"), ("?token=a.b&t=1", "no-store")] {
            let response = try await Self.fetch("/live\(query)")
            #expect(
                Self.text(response) == """
                    308
                    Cache-Control: \(caching)
                    Content-Type: text/plain; charset=utf-8
                    Content-Length: 19
                    Location: live/\(query)

                    permanent redirect

                    """
            )
        }
    }

    // MARK: Rejections

    @Test(arguments: [
        ("/live/../index.m3u8", 400, "no-store", "malformed target"), ("/%zz", 400, "no-store", "malformed target"),
        ("/live/%00", 400, "no-store", "malformed target"), ("*", 400, "no-store", "malformed target"),
        ("/live//index.m3u8", 404, "no-store", "not found"), ("/none", 404, "no-store", "not found"),
        ("/none/", 404, "no-store", "not found"), ("/none/index.m3u8", 404, "no-store", "not found"),
        ("/live/none.m3u8", 404, "no-store", "not found"),
        ("/live/video-1080p/450000010.m4s", 404, "no-store", "not found"),
        ("/live/video-1080p/450000008.m4s", 404, "no-store", "gap: there is no media for this segment"),
        ("/soon/video-1080p/1.m4s", 404, "no-store", "not found"),
        ("/live/keys/00000000000000000000000000000009", 404, "no-store", "not found"),
    ])
    func whatIsNotThereIsSaidInOneLine(uri: String, status: Int, cacheControl: String, reason: String) async throws {
        #expect(
            Self.text(try await Self.fetch(uri)) == """
                \(status)
                Cache-Control: \(cacheControl)
                Content-Type: text/plain; charset=utf-8
                Content-Length: \(reason.utf8.count + 1)

                \(reason)

                """
        )
    }

    @Test func aSegmentWhoseTimeIsOverIsNotFound() async throws {
        let channels = try Fixture.channels()
        channels[0].presentation.tick(now: Fixture.now + MediaTime(seconds: 3600))
        let server = OriginServer(
            configuration: OriginConfiguration(),
            channels: channels,
            now: { Fixture.now + MediaTime(seconds: 3600) },
            logger: .init(label: "origin") { _ in LogLines() }
        )
        let response = server.fetch("/live/video-1080p/450000001.m4s")
        #expect(response.status == .notFound)
        #expect(String(buffer: response.body) == "expired: the segment has left the window\n")
        // Only what is gone stays as it is.
        #expect(response.fields.first(name: "Cache-Control") == "public, max-age=6")
    }

    @Test(arguments: ["/soon/index.m3u8", "/soon/video-1080p.m3u8"])
    func aChannelThatIsStartingAsksForPatience(uri: String) async throws {
        #expect(
            Self.text(try await Self.fetch(uri)) == """
                503
                Cache-Control: no-store
                Content-Type: text/plain; charset=utf-8
                Content-Length: 35
                Retry-After: 4

                starting: nothing is published yet

                """
        )
    }

    @Test(arguments: [
        ("/live/index.m3u8", HTTPMethod.POST, "GET, HEAD, OPTIONS"), ("/", .PUT, "GET, HEAD, OPTIONS"),
        ("/live/keys.json", .DELETE, "GET, HEAD, OPTIONS"), ("/none", .PATCH, "GET, HEAD, OPTIONS"),
        ("/live/clearkey", .GET, "POST, OPTIONS"), ("/live/clearkey", .HEAD, "POST, OPTIONS"),
    ])
    func anotherMethodIsNotAllowed(uri: String, method: HTTPMethod, allowed: String) async throws {
        let response = try await Self.fetch(uri, method)
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields.first(name: "Allow") == allowed)
        #expect(String(buffer: response.body) == (method == .HEAD ? "" : "method not allowed\n"))
    }

    @Test(arguments: ["/", "/live/index.m3u8", "/live/clearkey", "/none"])
    func aPreflightIsAlwaysGranted(uri: String) async throws {
        let headers: HTTPHeaders = ["Origin": "https://player.example", "Access-Control-Request-Method": "GET"]
        let response = try await Self.fetch(uri, .OPTIONS, headers)
        #expect(response.status == .noContent)
        #expect(
            response.fields == [
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Expose-Headers":
                    "Age, CMSD-Dynamic, CMSD-Static, Content-Range, Date, ETag, Retry-After",
                "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
                "Access-Control-Allow-Headers": "*, Authorization",
                "Access-Control-Max-Age": "86400",
            ]
        )
    }

    @Test(arguments: [
        "/", "/live", "/live/", "/channels.json", "/page.js", "/live/index.m3u8", "/live/video-1080p.m3u8",
        "/live/video-1080p/450000009.m4s", "/live/video-1080p/450000008.m4s", "/live/video-1080p/450000002.m4s",
        "/live/video-1080p/init.mp4", "/live/keys/\(Fixture.keyID)", "/live/keys.json", "/live/keys/0", "/none",
        "/soon/index.m3u8", "/%zz",
    ])
    func headHasTheFieldsOfGetAndNoBody(uri: String) async throws {
        let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
        let get = try await Self.fetch(uri, .GET, headers)
        let head = try await Self.fetch(uri, .HEAD, headers)
        #expect(head.status == get.status)
        #expect(head.fields == get.fields)
        #expect(head.fields.first(name: "Content-Length") == String(get.body.readableBytes))
        #expect(head.body.readableBytes == 0)
    }
}

extension Lookup {
    fileprivate var resource: Resource? {
        if case .found(let resource) = self { resource } else { nil }
    }
}
