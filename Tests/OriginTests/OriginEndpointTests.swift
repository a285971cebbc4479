import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Testing

@testable import Origin

@Suite struct OriginEndpointTests {
    private static let playlists = ["/live/index.m3u8", "/live/video-1080p.m3u8", "/live/audio-en.m3u8"]

    /// `live`, which fails on everything, and `soon`; the endpoint is that of both.
    private static func server(
        _ endpoint: EndpointHealth,
        now: MediaTime = Fixture.now
    ) throws -> OriginServer {
        let channels = try Fixture.channels().map { channel in
            OriginChannel(
                name: channel.name,
                presentation: channel.presentation,
                keys: channel.keys,
                endpoint: endpoint
            )
        }
        return OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: channels,
            now: { now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
    }

    private static func endpoint(_ failOn: Set<FailureCondition> = Set(FailureCondition.allCases)) -> EndpointHealth {
        let endpoint = EndpointHealth(policy: EndpointPolicy(staleAfter: MediaTime(seconds: 9), failOn: failOn))
        publish(to: endpoint)
        return endpoint
    }

    /// A slot whose only segment has media, or is a gap.
    private static func publish(to endpoint: EndpointHealth, gap: Bool = false) {
        let segment = PublishedSegment(
            programDateTime: Fixture.now,
            duration: SegmentDuration(MediaTime(seconds: 4)),
            content: gap ? .gap : .media(Fixture.segment)
        )
        endpoint.slotPublished(
            PublishedSlot(number: MediaSequenceNumber(Fixture.first + 9), segments: ["video-1080p": segment]),
            now: Fixture.now
        )
    }

    private static func fetch(
        _ uri: String,
        _ endpoint: EndpointHealth,
        _ method: HTTPMethod = .GET,
        _ fields: HTTPHeaders = [:],
        now: MediaTime = Fixture.now
    ) async throws -> Answer {
        try server(endpoint, now: now).fetch(uri, method, fields)
    }

    private static func health(_ response: Answer) throws -> String? {
        response.fields.first(name: "X-Packager-Health")
    }

    @Test(arguments: playlists)
    func aFailingChannelWithholdsItsPlaylists(uri: String) async throws {
        let endpoint = Self.endpoint()
        Self.publish(to: endpoint, gap: true)
        endpoint.setKeys(available: false)
        endpoint.setScore(20)
        let response = try await Self.fetch(uri, endpoint)
        let lines = response.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        #expect(
            "\(response.status.code)\n\(lines)\n\n\(String(buffer: response.body))" == """
                503
                Access-Control-Allow-Origin: *
                Access-Control-Expose-Headers: Age, CMSD-Dynamic, CMSD-Static, Content-Range, Date, ETag, Retry-After
                Cache-Control: no-store
                Content-Type: text/plain; charset=utf-8
                Content-Length: 28
                Retry-After: 4
                X-Packager-Health: 20
                CMSD-Dynamic: "packager";packager-health=20

                failing: incomplete, no-key

                """
        )
    }

    @Test(arguments: playlists)
    func headOfAFailingChannelFails(uri: String) async throws {
        let endpoint = Self.endpoint()
        Self.publish(to: endpoint, gap: true)
        let response = try await Self.fetch(uri, endpoint, .HEAD)
        #expect(response.status == .serviceUnavailable)
        #expect(response.fields.first(name: "Content-Length") == "20")
        #expect(response.body.readableBytes == 0)
    }

    @Test func whatPlayersHaveFoundStaysToBeHad() async throws {
        let endpoint = Self.endpoint()
        Self.publish(to: endpoint, gap: true)
        for uri in [
            "/live/video-1080p/450000009.m4s", "/live/audio-en/init.mp4", "/live/keys/\(Fixture.keyID)",
            "/live/keys.json", "/live/",
        ] {
            #expect(try await Self.fetch(uri, endpoint).status == .ok, "\(uri)")
        }
        #expect(try await Self.fetch("/live/none.m3u8", endpoint).status == .notFound)
    }

    @Test func aPlayerThatKnowsThePlaylistIsRefusedToo() async throws {
        let endpoint = Self.endpoint()
        let entityTag = try #require(try await Self.fetch(Self.playlists[0], endpoint).fields.first(name: "ETag"))
        Self.publish(to: endpoint, gap: true)
        let response = try await Self.fetch(Self.playlists[0], endpoint, .GET, ["If-None-Match": entityTag])
        #expect(response.status == .serviceUnavailable)
    }

    @Test func itRecoversByItself() async throws {
        let endpoint = Self.endpoint()
        let late = Fixture.now + MediaTime(seconds: 10)
        // A pipeline that hangs says nothing: time is all there is to see it by.
        #expect(try await Self.fetch(Self.playlists[1], endpoint).status == .ok)
        let stale = try await Self.fetch(Self.playlists[1], endpoint, now: late)
        #expect(stale.status == .serviceUnavailable)
        #expect(String(buffer: stale.body) == "failing: stale\n")
        Self.publish(to: endpoint)
        #expect(try await Self.fetch(Self.playlists[1], endpoint).status == .ok)
    }

    @Test func aChannelFailsOnWhatIsOnItsListOnly() async throws {
        let endpoint = Self.endpoint([.slate, .stale])
        Self.publish(to: endpoint, gap: true)
        endpoint.setKeys(available: false)
        for uri in Self.playlists { #expect(try await Self.fetch(uri, endpoint).status == .ok) }
    }

    @Test func aChannelThatIsStartingSaysSo() async throws {
        let endpoint = Self.endpoint()
        Self.publish(to: endpoint, gap: true)
        let response = try await Self.fetch("/soon/index.m3u8", endpoint)
        #expect(String(buffer: response.body) == "starting: nothing is published yet\n")
    }

    @Test(arguments: playlists + ["/live/video-1080p/450000009.m4s", "/live/audio-en/init.mp4"])
    func eachAnswerTellsTheHealth(uri: String) async throws {
        let endpoint = Self.endpoint()
        #expect(try Self.health(try await Self.fetch(uri, endpoint)) == nil)
        endpoint.setScore(87)
        let response = try await Self.fetch(uri, endpoint)
        #expect(try Self.health(response) == "87")
        #expect(try Self.health(try await Self.fetch(uri, endpoint, .HEAD)) == "87")
        let unchanged = try await Self.fetch(
            uri,
            endpoint,
            .GET,
            ["If-None-Match": try #require(response.fields.first(name: "ETag"))]
        )
        #expect(unchanged.status == .notModified)
        #expect(try Self.health(unchanged) == "87")
        #expect(unchanged.fields["CMSD-Dynamic"] == ["\"packager\";packager-health=87"])
    }

    /// A gap, what was never there, a range, and a channel that has not begun.
    @Test(arguments: [
        ("/live/video-1080p/450000008.m4s", 404), ("/live/none.m3u8", 404), ("/live/video-1080p/450000009.m4s", 206),
        ("/soon/index.m3u8", 503),
    ])
    func whatIsNoWholeResourceTellsTheHealthToo(uri: String, status: Int) async throws {
        let endpoint = Self.endpoint()
        endpoint.setScore(100)
        let response = try await Self.fetch(uri, endpoint, .GET, ["Range": "bytes=0-1"])
        #expect(Int(response.status.code) == status)
        #expect(response.fields["X-Packager-Health"] == ["100"], "once")
    }
}
