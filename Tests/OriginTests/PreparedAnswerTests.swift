import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Playlists
import Presentation
import Synchronization
import Testing

@testable import Origin

/// Both ways to an answer: it must not show which one a request went.
@Suite struct PreparedAnswerTests {
    private static func server(
        _ channels: [OriginChannel]? = nil,
        counters: OriginCounters = OriginCounters(now: { 0 }),
        resources: ServedResources = .everything,
        level: Logger.Level = .info,
        sink: AccessLog.Sink? = nil
    ) throws -> OriginServer {
        var configuration = OriginConfiguration(port: 0)
        configuration.resources = resources
        return OriginServer(
            configuration: configuration,
            channels: try channels ?? Fixture.channels(),
            counters: counters,
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines(level: level) },
            accessLog: sink
        )
    }

    private static func get(_ target: String, _ fields: HTTPHeaders) throws -> PlainGet {
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return try #require(PlainGet(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")))
    }

    private static func lines(_ fields: [(name: String, value: String)]) -> [String] {
        fields.map { "\($0.name): \($0.value)" }
    }

    private static let paths = [
        "index.m3u8", "video-1080p.m3u8", "audio-en.m3u8", "video-1080p/450000009.m4s", "audio-en/450000003.m4s",
        "audio-en/init.mp4", "video-1080p/init.mp4",
    ]
    private static let fields: [HTTPHeaders] = [
        [:], ["Accept-Encoding": "gzip"], ["Accept-Encoding": "br, x-gzip;q=0.5", "User-Agent": "player/1"],
        ["Accept-Encoding": "gzip;q=0"], ["CMCD-Session": "sid=\"a\"", "CMCD-Status": "bs"],
    ]

    // MARK: Answers

    @Test(arguments: paths, fields)
    func bothWaysGiveTheSameAnswer(path: String, fields: HTTPHeaders) throws {
        for target in ["/live/\(path)", "/live/\(path)?CMCD=bl%3D4000&x=/../%zz"] {
            let server = try Self.server()
            // The first request has the form made.
            let parsed = server.fetch(target, .GET, fields)
            for _ in 0..<2 {
                let prepared = try #require(server.responder.prepared(for: Self.get(target, fields)))
                #expect(parsed.status == .ok)
                #expect(prepared.body == parsed.body)
                #expect(
                    Self.lines(prepared.head.fields.map { ($0.name, $0.value) })
                        == Self.lines(parsed.fields.map { ($0.name, $0.value) })
                )
                #expect(prepared.head.bytes == parsed.encodedHead)
                #expect(prepared.more == nil, "it is not measured yet")
            }
        }
    }

    @Test func healthIsToldWithEachAnswer() throws {
        let endpoint = EndpointHealth()
        let channel = OriginChannel(name: "live", presentation: try Fixture.presentation(), endpoint: endpoint)
        let server = try Self.server([channel])
        for target in Self.paths.map({ "/live/\($0)" }) {
            _ = server.fetch(target)
            for score in [0, 7, 100] {
                endpoint.setScore(score)
                let parsed = server.fetch(target)
                #expect(parsed.fields["X-Packager-Health"] == ["\(score)"])
                #expect(parsed.fields["CMSD-Dynamic"] == ["\"packager\";packager-health=\(score)"])
                let prepared = try #require(server.responder.prepared(for: Self.get(target, [:])))
                let more = try #require(prepared.more)
                var bytes = prepared.head.bytes
                bytes.writeImmutableBuffer(more.bytes)
                #expect(bytes == parsed.encodedHead)
            }
        }
    }

    /// A health that changes would else cost each head anew.
    @Test func aHeadStaysWhenTheHealthChanges() throws {
        let endpoint = EndpointHealth()
        let channel = OriginChannel(name: "live", presentation: try Fixture.presentation(), endpoint: endpoint)
        let server = try Self.server([channel])
        _ = server.fetch("/live/index.m3u8")
        var heads: Set<ObjectIdentifier> = []
        for score in [50, 51, 50, 120] {
            endpoint.setScore(score)
            let prepared = try #require(server.responder.prepared(for: Self.get("/live/index.m3u8", [:])))
            heads.insert(ObjectIdentifier(prepared.head))
            #expect(prepared.more?.fields["X-Packager-Health"] == ["\(min(score, 100))"])
        }
        #expect(heads.count == 1)
    }

    /// A copy of the segment may be beside it.
    @Test func aHeadGoesWithItsSegment() throws {
        let presentation = try Fixture.presentation(media: ByteBuffer(repeating: 7, count: 100_000))
        let server = try Self.server([OriginChannel(name: "live", presentation: presentation)])
        let get = try Self.get("/live/video-1080p/450000009.m4s", [:])
        weak var head: PreparedAnswer.Head?
        head = try #require(server.responder.prepared(for: get)).head
        #expect(head != nil)
        try Fixture.publish(in: presentation, 10..<60)
        #expect(head == nil)
    }

    @Test func aChannelThatFailsClosedKeepsItsPlaylists() throws {
        let endpoint = EndpointHealth(policy: EndpointPolicy(failOn: [.noKey]))
        let channel = OriginChannel(name: "live", presentation: try Fixture.presentation(), endpoint: endpoint)
        let server = try Self.server([channel])
        _ = server.fetch("/live/index.m3u8")
        #expect(try server.responder.prepared(for: Self.get("/live/index.m3u8", [:])) != nil)
        endpoint.setKeys(available: false)
        #expect(try server.responder.prepared(for: Self.get("/live/index.m3u8", [:])) == nil)
        #expect(server.fetch("/live/index.m3u8").status == .serviceUnavailable)
        #expect(try server.responder.prepared(for: Self.get("/live/audio-en/init.mp4", [:])) != nil)
    }

    /// Gaps, what has left the playlists, what is no media and what is not there.
    @Test(arguments: [
        "/live/video-1080p/450000008.m4s", "/live/video-1080p/450000002.m4s", "/live/video-1080p/450000010.m4s",
        "/live/keys.json", "/live/", "/live", "/", "/soon/index.m3u8", "/none/index.m3u8", "/live/keys/index.m3u8",
        "/live/./index.m3u8", "//index.m3u8", "/live//index.m3u8", "/live/index.m3u8/", "/channels.json",
    ])
    func everythingElseGoesTheOtherWay(target: String) throws {
        let counters = OriginCounters(now: { 0 })
        let server = try Self.server(counters: counters)
        _ = server.fetch(target)
        let before = counters.totals
        #expect(try server.responder.prepared(for: Self.get(target, [:])) == nil)
        #expect(counters.totals == before, "it is counted on the other way")
    }

    @Test func whatIsNotAcceptedGoesTheOtherWay() throws {
        let server = try Self.server()
        for path in Self.paths {
            let fields: HTTPHeaders = ["Accept-Encoding": "identity;q=0, gzip;q=0"]
            #expect(server.fetch("/live/\(path)", .GET, fields).status == .notAcceptable)
            #expect(try server.responder.prepared(for: Self.get("/live/\(path)", fields)) == nil)
        }
    }

    @Test func aFormThatIsNotMadeGoesTheOtherWay() throws {
        let server = try Self.server()
        let fields: HTTPHeaders = ["Accept-Encoding": "gzip"]
        #expect(try server.responder.prepared(for: Self.get("/live/index.m3u8", fields)) == nil)
        _ = server.responder.reply(to: Request(.GET, "/live/index.m3u8", fields))
        #expect(try server.responder.prepared(for: Self.get("/live/index.m3u8", fields)) != nil)
    }

    /// An address that serves keys alone, and a log for those who look for faults.
    @Test func whereMediaIsNotServedNothingIsPrepared() throws {
        let target = "/live/audio-en/init.mp4"
        #expect(try Self.server(resources: .keys).responder.prepared(for: Self.get(target, [:])) == nil)
        #expect(try Self.server(level: .debug).responder.prepared(for: Self.get(target, [:])) == nil)
        #expect(try Self.server(resources: .withoutKeys).responder.prepared(for: Self.get(target, [:])) != nil)
    }

    @Test func aNewPlaylistHasAHeadOfItsOwn() throws {
        let presentation = try Fixture.presentation()
        let server = try Self.server([OriginChannel(name: "live", presentation: presentation)])
        let first = server.fetch("/live/video-1080p.m3u8")
        try Fixture.publish(in: presentation, 10..<11)
        let second = server.fetch("/live/video-1080p.m3u8")
        let prepared = try #require(server.responder.prepared(for: Self.get("/live/video-1080p.m3u8", [:])))
        #expect(prepared.head.bytes == second.encodedHead && prepared.body == second.body)
        #expect(prepared.head.bytes != first.encodedHead)
        // The oldest segment has left the playlist; how long it stays depends on the time now.
        #expect(try server.responder.prepared(for: Self.get("/live/video-1080p/450000003.m4s", [:])) == nil)
        #expect(server.fetch("/live/video-1080p/450000003.m4s").fields.contains(name: "Expires"))
    }

    // MARK: Counts

    @Test func bothWaysCountTheSame() throws {
        let counters = (0..<2).map { _ in OriginCounters(now: { 0 }) }
        let servers = try counters.map { try Self.server(counters: $0) }
        for path in Self.paths {
            for fields in Self.fields {
                // Each form is made.
                for server in servers { _ = server.fetch("/live/\(path)", .GET, fields) }
                _ = servers[0].fetch("/live/\(path)", .GET, fields)
                _ = try #require(servers[1].responder.prepared(for: Self.get("/live/\(path)", fields)))
            }
        }
        #expect(counters[0].answered == counters[1].answered)
        #expect(counters[0].totals == counters[1].totals)
        #expect(counters[0].totals.viewers == 3, "without a name, by a name and by a session")
        #expect(counters[0].totals.audiences["live"]?.stalls == 2 * Self.paths.count)
    }

    // MARK: The log

    private final class Lines: Sendable {
        private let state = Mutex<[String]>([])

        var all: [String] { state.withLock { $0.map { $0.replacing(/[0-9]+\}?$/, with: "") } } }

        func sink(_ format: LogFormat) -> AccessLog.Sink {
            AccessLog.Sink(format) { lines, count in
                let lines = lines.split(separator: "\n").map(String.init)
                #expect(lines.count == count)
                self.state.withLock { $0 += lines }
            }
        }
    }

    @Test(arguments: LogFormat.allCases)
    func bothWaysLogTheSame(format: LogFormat) throws {
        let logs = (Lines(), Lines())
        let (parsed, prepared) = (
            try Self.server(sink: logs.0.sink(format)), try Self.server(sink: logs.1.sink(format))
        )
        let fields: [HTTPHeaders] = [
            [:], ["User-Agent": "player/1 \"\\x\"", "Referer": "https://a/b?secret"],
            ["User-Agent": String(repeating: "x", count: 200), "Referer": String(repeating: "y", count: 200)],
        ]
        for fields in fields {
            let target = "/live/video-1080p/450000009.m4s?token=secret"
            _ = parsed.fetch(target, .GET, fields)
            _ = try #require(prepared.responder.prepared(for: Self.get(target, fields)))
        }
        for server in [parsed, prepared] { server.responder.log.flush() }
        // The second may have changed between them.
        func withoutTime(_ line: String) -> String { line.replacing(/20[0-9:\/A-Za-z-]+[0-9:.]*/, with: "") }
        #expect(logs.0.all.count == fields.count)
        #expect(logs.0.all.map(withoutTime) == logs.1.all.map(withoutTime))
        #expect(!logs.1.all.joined().contains("secret"))
    }
}
