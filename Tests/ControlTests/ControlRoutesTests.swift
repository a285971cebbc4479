import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Presentation
import Synchronization
import Testing

@testable import Control

@Suite struct ControlRoutesTests {
    private static let select = "/channels/live/select"
    private static let json: HTTPHeaders = ["Content-Type": "application/json"]

    private static func fetch(
        _ uri: String,
        _ method: HTTPMethod = .GET,
        _ headers: HTTPHeaders = [:],
        body: String = "",
        from server: ControlServer = Fixture.server()
    ) async -> Answer {
        await server.fetch(uri, method, headers, body: ByteBuffer(string: body))
    }

    private static func decode<Value: Decodable>(_ response: Answer) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(response.body.readableBytesView))
    }

    /// Status, fields and body as they are sent; the length is that of the body.
    private static func text(_ response: Answer) -> String {
        #expect(response.fields.first(name: "Content-Length") == String(response.body.readableBytes))
        let fields = response.fields.filter { $0.name != "Content-Length" }
        let lines = fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return "\(response.status.code)\n\(lines)\n\n\(String(buffer: response.body))"
    }

    private static func body(_ response: Answer) -> String { String(buffer: response.body) }

    // MARK: What there is

    @Test func theProcessLives() async throws {
        #expect(
            Self.text(await Self.fetch("/healthz")) == """
                200
                Content-Type: text/plain; charset=utf-8
                Cache-Control: no-store
                X-Content-Type-Options: nosniff

                ok
                """
        )
    }

    @Test func theOriginTellsHowManyConnectionsItHas() async throws {
        let status: OriginStatus = try Self.decode(await Self.fetch("/origin"))
        #expect(status == Fixture.origin)
    }

    @Test func theConfigurationIsReadAgain() async throws {
        let report = ReloadReport(
            added: ["b"],
            changed: [],
            removed: [],
            unchanged: ["live"],
            warnings: ["packager.yaml:3: window: longer than a day"]
        )
        let server = Fixture.server(operated: Papers(report))
        #expect(
            Self.body(await Self.fetch("/reload", .POST, from: server)) == """
                {
                  "added" : [
                    "b"
                  ],
                  "changed" : [

                  ],
                  "removed" : [

                  ],
                  "unchanged" : [
                    "live"
                  ],
                  "warnings" : [
                    "packager.yaml:3: window: longer than a day"
                  ]
                }

                """
        )
        #expect(Self.body(await Self.fetch("/reload?dry-run", .POST, from: server)).contains("\"c\""))
    }

    @Test func aConfigurationThatIsNotTakenUpIsSaidSo() async throws {
        let answer = await Self.fetch("/reload", .POST)
        #expect(answer.status == .unprocessableEntity)
        #expect(Self.body(answer).contains("\"listen: only a restart can change this\""))
        #expect(await Self.fetch("/reload?dry-run&force", .POST).status == .badRequest)
        #expect(await Self.fetch("/reload").status == .methodNotAllowed)
        let page = await Self.fetch("/reload", .POST, ["Origin": "https://evil.example.com"])
        #expect(page.status == .forbidden)
    }

    @Test func whatIsWrittenOfAChannelIsShownWithItsTag() async throws {
        let answer = await Self.fetch("/channels/live/configuration")
        #expect(answer.status == .ok)
        #expect(answer.fields.first(name: "ETag") == "\"1\"")
        #expect(Self.body(answer) == "{\"name\":\"live\"}\n")
        #expect(await Self.fetch("/channels/nobody/configuration").status == .notFound)
    }

    @Test func channelsAreEdited() async throws {
        let papers = Papers()
        let server = Fixture.server(operated: papers)
        let yaml: HTTPHeaders = ["Content-Type": "application/yaml"]
        let patch: HTTPHeaders = ["Content-Type": "application/merge-patch+json", "If-Match": "\"1\""]
        let put = await Self.fetch("/channels/b", .PUT, yaml, body: "input: b.ts", from: server)
        #expect(put.status == .created)
        #expect(put.fields.first(name: "ETag") == "\"2\"")
        #expect(Self.body(put).contains("\"added\" : [\n    \"b\""))
        #expect(await Self.fetch("/channels/live", .PATCH, patch, body: "{}", from: server).status == .ok)
        #expect(await Self.fetch("/channels/live", .DELETE, from: server).fields.first(name: "ETag") == nil)
        #expect(await Self.fetch("/channels/c?dry-run", .PUT, yaml, body: "input: c", from: server).status == .ok)
        let requests = papers.requests.withLock { $0 }
        #expect(
            requests == [
                .init(channel: "b", edit: .put("input: b.ts"), isRehearsal: false),
                .init(channel: "live", edit: .patch("{}"), isRehearsal: false),
                .init(channel: "live", edit: .remove, isRehearsal: false),
                .init(channel: "c", edit: .put("input: c"), isRehearsal: true),
            ]
        )
    }

    @Test func nobodyUndoesWhatHeHasNotSeen() async throws {
        let stale: HTTPHeaders = ["Content-Type": "application/json", "If-Match": "\"0\""]
        #expect(await Self.fetch("/channels/live", .PUT, stale, body: "{}").status == .preconditionFailed)
        #expect(await Self.fetch("/channels/live", .DELETE, ["If-Match": "\"0\""]).status == .preconditionFailed)
        let new: HTTPHeaders = ["Content-Type": "application/json", "If-None-Match": "*"]
        #expect(await Self.fetch("/channels/live", .PUT, new, body: "{}").status == .preconditionFailed)
        #expect(await Self.fetch("/channels/b", .PUT, new, body: "{}").status == .created)
    }

    @Test(arguments: [
        (EditRefusal.unknownChannel, HTTPResponseStatus.notFound), (.malformed("a"), .badRequest),
        (.forbidden(["a"]), .forbidden), (.refused(["a"]), .unprocessableEntity), (.cannotBeKept(["a"]), .conflict),
    ])
    func whyAChannelIsNotEditedIsSaid(refusal: EditRefusal, status: HTTPResponseStatus) async throws {
        let server = Fixture.server(operated: Papers(refusal: refusal))
        #expect(await Self.fetch("/channels/live", .DELETE, from: server).status == status)
    }

    /// One that was started by flags is served, but there is no description of it.
    @Test(arguments: [
        ("soon", "the channel \\\"soon\\\" comes from flags or environment variables"),
        ("none", "there is no channel \\\"none\\\" in the configuration"),
    ])
    func aChannelThatIsInNoFileIsSaidToBe(name: String, problem: String) async {
        let answer = await Self.fetch("/channels/\(name)/configuration")
        #expect(answer.status == .notFound && Self.body(answer).contains(problem), "\(Self.body(answer))")
        let server = Fixture.server(operated: Papers(refusal: .unknownChannel))
        #expect(Self.body(await Self.fetch("/channels/\(name)", .DELETE, from: server)).contains(problem))
    }

    @Test func editsAreNoForms() async throws {
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"] {
            let fields: HTTPHeaders = ["Content-Type": type]
            #expect(await Self.fetch("/channels/b", .PUT, fields, body: "input: b").status == .unsupportedMediaType)
        }
        let page: HTTPHeaders = ["Origin": "https://evil.example.com"]
        #expect(await Self.fetch("/channels/live", .DELETE, page).status == .forbidden)
        #expect(await Self.fetch("/channels/live?force", .DELETE).status == .badRequest)
    }

    @Test func theRootListsTheRoutes() async throws {
        #expect(
            Self.text(await Self.fetch("/")) == """
                200
                Content-Type: application/json
                Cache-Control: no-store
                X-Content-Type-Options: nosniff
                Vary: Accept

                {
                  "routes" : [
                    "GET /healthz",
                    "GET /readyz",
                    "GET /metrics",
                    "GET /origin",
                    "POST /reload",
                    "GET /upgrade",
                    "GET /channels",
                    "GET /channels/{name}",
                    "PUT /channels/{name}",
                    "PATCH /channels/{name}",
                    "DELETE /channels/{name}",
                    "GET /channels/{name}/configuration",
                    "POST /channels/{name}/select",
                    "POST /channels/{name}/cues",
                    "POST /channels/{name}/splices",
                    "POST /channels/{name}/metadata",
                    "GET /channels/{name}/dateranges",
                    "POST /channels/{name}/dateranges",
                    "PATCH /channels/{name}/dateranges/{id}",
                    "DELETE /channels/{name}/dateranges/{id}",
                    "GET /channels/{name}/recordings",
                    "POST /channels/{name}/recordings",
                    "GET /channels/{name}/recordings/{id}",
                    "DELETE /channels/{name}/recordings/{id}",
                    "GET /events",
                    "GET /channels/{name}/on-air",
                    "GET /channels/{name}/thumbnail.jpg",
                    "GET /channels/{name}/inputs/{input}/thumbnail.jpg",
                    "GET /webhooks",
                    "GET /openapi.json"
                  ]
                }

                """
        )
    }

    @Test func aBrowserGetsThePage() async throws {
        let page = await Self.fetch("/", .GET, ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])
        #expect(page.fields.first(name: "Content-Type") == "text/html; charset=utf-8")
        #expect(page.fields.first(name: "Vary") == "Accept")
        var fields = page.fields
        BrowserFields.add(to: &fields)
        #expect(fields.first(name: "Content-Security-Policy")?.contains("script-src 'self';") == true)
        // What is said of it when it has not changed replaces what the browser knows (RFC 9111 § 3.2).
        let tags: HTTPHeaders = ["Accept": "text/html", "If-None-Match": try #require(page.fields.first(name: "ETag"))]
        var unchanged = await Self.fetch("/", .GET, tags).fields
        BrowserFields.add(to: &unchanged)
        #expect(unchanged.first(name: "Content-Security-Policy") == fields.first(name: "Content-Security-Policy"))
        #expect(Self.body(page).hasPrefix("<!DOCTYPE html>"))
        let script = await Self.fetch("/operator.js")
        #expect(script.fields.first(name: "Content-Type") == "text/javascript; charset=utf-8")
        let tag = try #require(script.fields.first(name: "ETag"))
        #expect(await Self.fetch("/operator.js", .GET, ["If-None-Match": tag]).status == .notModified)
        #expect(await Self.fetch("/nothing.js").status == .notFound)
        let guide = await Self.fetch("/troubleshooting.html")
        #expect(guide.fields.first(name: "Content-Type") == "text/html; charset=utf-8")
        #expect(Self.body(guide).contains("<h1 id=\"troubleshooting\">Troubleshooting</h1>"))
    }

    // MARK: What is on air

    @Test func whatHasBeenOnAirIsTold() async throws {
        #expect(
            Self.body(await Self.fetch("/channels/live/on-air")) == """
                {
                  "renditions" : [
                    {
                      "id" : "video-1080p",
                      "runs" : [
                        {
                          "end" : "2026-11-21T12:00:00.000Z",
                          "source" : "input-1",
                          "start" : "2026-11-21T11:59:00.000Z"
                        }
                      ]
                    }
                  ]
                }

                """
        )
        #expect(await Self.fetch("/channels/nope/on-air").status == .notFound)
    }

    @Test func aThumbnailIsSentOnce() async throws {
        let path = "/channels/live/thumbnail.jpg"
        let first = await Self.fetch(path)
        #expect(first.fields.first(name: "Content-Type") == "image/jpeg")
        #expect(first.fields.first(name: "Cache-Control") == "private, no-cache")
        #expect(Self.body(first) == "JPEG of live")
        let tag = try #require(first.fields.first(name: "ETag"))
        let second = await Self.fetch(path, .GET, ["If-None-Match": tag])
        #expect(second.status == .notModified)
        #expect(second.body.readableBytes == 0)
        let head = await Self.fetch(path, .HEAD)
        #expect(head.fields.first(name: "Content-Length") == "12")
        #expect(Self.body(await Self.fetch("/channels/live/inputs/input-1/thumbnail.jpg")) == "JPEG of input-1")
    }

    @Test(arguments: [
        ("/channels/soon/thumbnail.jpg", "thumbnails are off for this channel"),
        ("/channels/live/inputs/backup-1/thumbnail.jpg", "there is no picture at the moment"),
        (
            "/channels/live/inputs/backup-9/thumbnail.jpg",
            "there is no input \\\"backup-9\\\"; inputs: input-1, backup-1"
        ),
        ("/channels/nope/thumbnail.jpg", "there is no channel"),
    ])
    func aThumbnailThatIsMissingIsExplained(path: String, reason: String) async throws {
        let answer = await Self.fetch(path)
        #expect(answer.status == .notFound)
        #expect(Self.body(answer).contains(reason))
    }

    @Test func aChannelIsShownWhole() async throws {
        #expect(
            Self.body(await Self.fetch("/channels/live")) == """
                {
                  "failures" : [

                  ],
                  "inputs" : [
                    {
                      "bitrate" : 5012000,
                      "connected" : true,
                      "continuityErrors" : 0,
                      "feed" : "udp://239.0.0.1:5000",
                      "isFrozen" : false,
                      "isSilent" : false,
                      "lastKeyFrameAge" : 0.74,
                      "name" : "input-1",
                      "reasons" : [

                      ],
                      "role" : "primary",
                      "score" : 100,
                      "selected" : true,
                      "timestampErrors" : 0
                    },
                    {
                      "alignment" : {
                        "method" : "same access units",
                        "offset" : -0.04
                      },
                      "bitrate" : 4998000,
                      "connected" : true,
                      "continuityErrors" : 3,
                      "isFrozen" : false,
                      "isSilent" : false,
                      "lastKeyFrameAge" : 1.12,
                      "name" : "backup-1",
                      "reasons" : [
                        "3 continuity errors"
                      ],
                      "role" : "backup",
                      "score" : 70,
                      "selected" : false,
                      "standsByFor" : "input-1",
                      "timestampErrors" : 0
                    }
                  ],
                  "journal" : {
                    "healthy" : false,
                    "problem" : "no space left on device"
                  },
                  "liveEdge" : "2026-11-21T11:59:57.500Z",
                  "liveEdgeAge" : 2.5,
                  "name" : "live",
                  "peer" : {
                    "url" : "http://192.0.2.7:8080"
                  },
                  "reasons" : [
                    "backup-1: 3 continuity errors"
                  ],
                  "recording" : {
                    "bytes" : 500000000000,
                    "end" : "2026-11-21T11:59:56.000Z",
                    "healing" : {
                      "filled" : 7,
                      "missing" : 2,
                      "problem" : "no connection",
                      "refused" : 3
                    },
                    "healthy" : true,
                    "late" : 2,
                    "lost" : 1,
                    "removedEarly" : 512,
                    "start" : "2026-11-07T12:00:00.000Z"
                  },
                  "renditions" : [
                    {
                      "codecs" : [
                        "avc1.640028"
                      ],
                      "gaps" : 1,
                      "id" : "video-1080p",
                      "newest" : "media",
                      "resolution" : "1920x1080",
                      "segments" : 14,
                      "source" : "input-1"
                    }
                  ],
                  "score" : 87,
                  "selection" : {
                    "input" : "input-1",
                    "mode" : "automatic"
                  },
                  "state" : "live"
                }

                """
        )
    }

    @Test func allChannelsAreShownInOrder() async throws {
        let response = await Self.fetch("/channels")
        #expect(try Self.decode(response) == [Fixture.live, Fixture.soon])
    }

    // MARK: Readiness

    @Test func liveChannelIsReadyAndOnAir() async throws {
        let response = await Self.fetch("/readyz", from: Fixture.server(channels: [StubChannel(Fixture.live)]))
        #expect(response.status == .ok)
        #expect(
            Self.body(response) == """
                {
                  "channels" : [
                    {
                      "name" : "live",
                      "onAir" : true,
                      "reasons" : [

                      ],
                      "state" : "live"
                    }
                  ],
                  "onAir" : true,
                  "ready" : true
                }

                """
        )
    }

    @Test func readinessNamesEveryReasonOfEveryChannel() async throws {
        var failing = Fixture.live
        failing.failures = [.stale, .noKey]
        var ended = Fixture.live
        ended.name = "over"
        ended.state = .ended
        let channels = [failing, Fixture.soon, ended].map(StubChannel.init)
        let response = await Self.fetch("/readyz", from: Fixture.server(channels: channels))
        #expect(response.status == .serviceUnavailable)
        let readiness = try JSONDecoder().decode(Readiness.self, from: Data(Self.body(response).utf8))
        #expect(!readiness.isReady && !readiness.isOnAir)
        #expect(readiness.channels.map(\.name) == ["live", "soon", "over"])
        #expect(readiness.channels.map(\.reasons) == [["stale", "no-key"], [], ["ended"]])
        #expect(readiness.channels.map(\.isOnAir) == [true, false, false])
    }

    /// An encoder that comes through a load balancer finds the process ready.
    ///
    /// A channel whose pictures are gone is not on air, though its sound still comes of an input.
    @Test(arguments: [nil, .gap, .slate, .hold] as [ChannelStatus.Rendition.Slot?])
    func waitingForAnEncoderIsReadyAndNotOnAir(newest: ChannelStatus.Rendition.Slot?) async throws {
        var audioAlone = Fixture.live
        audioAlone.renditions = [
            ChannelStatus.Rendition(id: "video-1080p", source: "none", newest: newest, segments: 14, gaps: 1),
            ChannelStatus.Rendition(id: "audio", source: "input-1", newest: .media, segments: 15, gaps: 0),
        ]
        var empty = Fixture.live
        empty.renditions = []
        for channel in [Fixture.soon, audioAlone, empty] {
            let server = Fixture.server(channels: [StubChannel(Fixture.live), StubChannel(channel)])
            #expect(await Self.fetch("/readyz", from: server).status == .ok)
            #expect(await Self.fetch("/readyz?on-air", from: server).status == .serviceUnavailable)
        }
        let server = Fixture.server(channels: [StubChannel(Fixture.live)])
        #expect(await Self.fetch("/readyz?on-air", from: server).status == .ok)
        #expect(await Self.fetch("/readyz?onair", from: server).status == .badRequest)
    }

    // MARK: Selection

    @Test(arguments: [
        ("{\"input\":\"backup-1\",\"hold\":true}", "held", "backup-1"),
        ("{\"input\":\"backup-1\"}", "automatic", "backup-1"),
        ("{\"input\":\"backup-1\",\"hold\":false}", "automatic", "backup-1"),
        ("{\"mode\":\"automatic\"}", "automatic", "input-1"),
    ])
    func aSelectionAnswersWithWhatHoldsNow(body: String, mode: String, input: String) async throws {
        let response = await Self.fetch(Self.select, .POST, Self.json, body: body)
        #expect(response.status == .ok)
        #expect(
            Self.body(response) == """
                {
                  "input" : "\(input)",
                  "mode" : "\(mode)"
                }

                """
        )
    }

    @Test func allProblemsOfASelectionAreListed() async throws {
        let body = "{\"input\":\"backup-2\",\"hold\":1,\"force\":true}"
        #expect(
            Self.text(await Self.fetch(Self.select, .POST, Self.json, body: body)) == """
                400
                Content-Type: application/json
                Cache-Control: no-store
                X-Content-Type-Options: nosniff

                {
                  "problems" : [
                    "there is no input \\"backup-2\\"; inputs: input-1, backup-1",
                    "\\"hold\\" must be true or false",
                    "unknown key \\"force\\"; keys: input, hold, mode"
                  ]
                }

                """
        )
    }

    @Test func anInputThatIsGoneAtTheLastMomentIsRefused() async throws {
        var gone = Fixture.live
        gone.name = "gone"
        let response = await Self.fetch(
            "/channels/gone/select",
            .POST,
            Self.json,
            body: "{\"input\":\"backup-1\"}",
            from: Fixture.server(channels: [StubChannel(gone)])
        )
        #expect(response.status == .badRequest)
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/json ; x=y"])
    func theTypeMayHaveParameters(type: String) async throws {
        let response = await Self.fetch(
            Self.select,
            .POST,
            ["Content-Type": type],
            body: "{\"mode\":\"automatic\"}"
        )
        #expect(response.status == .ok)
    }

    @Test(arguments: [nil, "text/plain", "application/jsonp", "application/x-www-form-urlencoded"])
    func anotherTypeIsRefused(type: String?) async throws {
        let fields: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let response = await Self.fetch(Self.select, .POST, fields, body: "{\"mode\":\"automatic\"}")
        #expect(response.status == .unsupportedMediaType)
        #expect(response.fields.first(name: "Accept") == "application/json")
        #expect(Self.body(response).contains("Content-Type must be application/json"))
    }

    @Test(arguments: [
        (65_536, HTTPResponseStatus.badRequest), (65_537, .payloadTooLarge), (1_000_000, .payloadTooLarge),
    ])
    func aBodyHasALimit(length: Int, status: HTTPResponseStatus) async throws {
        let body = String(repeating: " ", count: length)
        #expect(await Self.fetch(Self.select, .POST, Self.json, body: body).status == status)
    }

    // MARK: Refusals

    @Test(arguments: [
        ("/none", "there is nothing here; GET / lists the routes"),
        ("/channels/live/none", "there is nothing here; GET / lists the routes"),
        ("/channels/live/select/none", "there is nothing here; GET / lists the routes"),
        ("/channels/none", "there is no channel \\\"none\\\"; channels: live, soon"),
    ])
    func whatIsNotThereIsNotFound(uri: String, problem: String) async throws {
        let response = await Self.fetch(uri)
        #expect(response.status == .notFound)
        #expect(
            Self.body(response) == """
                {
                  "problems" : [
                    "\(problem)"
                  ]
                }

                """
        )
    }

    @Test func anUnknownChannelHasNoInputToSelect() async throws {
        let response = await Self.fetch("/channels/none/select", .POST, Self.json, body: "{}")
        #expect(response.status == .notFound)
    }

    @Test(arguments: [
        ("/", "GET, HEAD"), ("/healthz", "GET, HEAD"), ("/readyz", "GET, HEAD"), ("/channels", "GET, HEAD"),
        ("/channels/live", "GET, HEAD, PUT, PATCH, DELETE"), ("/channels/live/configuration", "GET, HEAD"),
        ("/events", "GET, HEAD"), ("/channels/live/select", "POST"),
        ("/channels/live/cues", "POST"), ("/upgrade", "GET, HEAD"),
    ])
    func aPathNamesItsMethods(uri: String, allowed: String) async throws {
        for method in [HTTPMethod.GET, .HEAD, .POST, .PUT, .PATCH, .DELETE, .OPTIONS, .TRACE, .CONNECT] {
            let response = await Self.fetch(uri, method)
            let isAllowed = allowed.split(separator: ", ").contains(Substring(method.rawValue))
            #expect((response.status == .methodNotAllowed) != isAllowed, "\(method) \(uri)")
            #expect(response.fields.first(name: "Allow") == (isAllowed ? nil : allowed))
        }
    }

    @Test func anUnknownMethodIsNotImplemented() async throws {
        let method = HTTPMethod(rawValue: "BREW")
        for uri in ["/", "/channels/live/select", "/none"] {
            #expect(await Self.fetch(uri, method).status == .notImplemented)
        }
    }

    @Test(arguments: [
        "/", "/healthz", "/readyz", "/channels", "/events", "/none", "/channels/live/select", "/events?x",
    ])
    func headHasTheFieldsOfGetAndNoBody(uri: String) async throws {
        let get = await Self.fetch(uri)
        let head = await Self.fetch(uri, .HEAD)
        #expect(head.status == get.status)
        #expect(head.fields == get.fields)
        #expect(head.body.readableBytes == 0)
    }

    @Test(arguments: ["/healthz", "/channels", "/events", "/none"])
    func aPageOfAnotherOriginIsRefused(uri: String) async throws {
        let response = await Self.fetch(uri, .GET, ["Origin": "https://example.com"])
        #expect(response.status == .forbidden)
        #expect(Self.body(response).contains("web pages of other origins may not read"))
        // The host of these requests is localhost, without a port.
        #expect(await Self.fetch("/healthz", .GET, ["Origin": "http://localhost"]).status == .ok)
    }

    // MARK: Events

    @Test func eventsAreRecords() async throws {
        let log = Fixture.log(0)
        log.append(Fixture.loss)
        log.append(Fixture.event(1))
        #expect(
            Self.text(await Self.fetch("/events", from: Fixture.server(events: log))) == """
                200
                Content-Type: application/json
                Cache-Control: no-store
                X-Content-Type-Options: nosniff
                Vary: Accept

                [
                  {
                    "channel" : "live",
                    "input" : "input-1",
                    "kind" : "input-lost",
                    "message" : "No packet for 2 s / \\"cable\\".",
                    "number" : 1,
                    "renditions" : [
                      "video-1080p",
                      "audio-en"
                    ],
                    "severity" : "warning",
                    "slot" : 448815600,
                    "time" : "2026-11-21T12:00:00.000Z"
                  },
                  {
                    "channel" : "live",
                    "kind" : "gap",
                    "message" : "Something happened.",
                    "number" : 2,
                    "severity" : "error",
                    "time" : "2026-11-21T12:00:01.000Z"
                  }
                ]

                """
        )
    }

    @Test(arguments: [
        ("/events", [1, 2, 3, 4, 5, 6, 7]), ("/events?limit=2", [6, 7]), ("/events?after=0&limit=2", [1, 2]),
        ("/events?after=2&limit=2", [3, 4]), ("/events?after=6", [7]), ("/events?after=7", []),
        // A count of an earlier process: this one has not got so far.
        ("/events?after=8&limit=3", [1, 2, 3]),
    ])
    func aQueryPagesThroughEvents(uri: String, numbers: [Int]) async throws {
        let response = await Self.fetch(uri)
        let records: [EventRecord] = try Self.decode(response)
        #expect(records.map(\.number) == numbers)
    }

    @Test(arguments: [(0, 7), (5, 7), (1_000_003, 4), (1_000_007, 0), (1_000_008, 7)])
    func aQueryThatGoesOnFromAnEarlierProcessMissesNothing(after: Int, count: Int) async throws {
        let log = EventLog(after: 1_000_000)
        for number in 1...7 { log.append(Fixture.event(number)) }
        let history = EventHistory(log)
        let entries = await history.page(try EventQuery(target: "/events?after=\(after)").search(in: history)).entries
        #expect(entries.map(\.number) == Array(1_000_001...1_000_007).suffix(count))
    }

    @Test func allProblemsOfAQueryAreListed() async throws {
        let response = await Self.fetch("/events?after=-1&limit=0&since=yesterday&limit=5")
        #expect(response.status == .badRequest)
        #expect(
            Self.body(response) == """
                {
                  "problems" : [
                    "\\"after\\" must be the number of an event",
                    "\\"limit\\" must lie between 1 and 1000",
                    "unknown parameter \\"since\\"; parameters: after, before, channel, from, kind, limit, text, to",
                    "\\"limit\\" is there twice"
                  ]
                }

                """
        )
    }

    @Test(arguments: [
        ("channel=live", [1, 3, 4]), ("channel=live,none", [1, 3, 4]), ("channel=none", []), ("kind=gap", [3, 4]),
        ("kind=gap,media", [2, 3, 4]), ("text=SOMETHING%20happened", [2, 3, 4]), ("text=%25", []),
        ("from=2026-11-21T12:00:03Z", [3, 4]), ("from=2026-11-21T13:00:03%2B01:00&to=2026-11-21T12:00:04Z", [3]),
        ("before=4&limit=2", [2, 3]), ("after=1&before=4", [2, 3]), ("kind=gap&after=0&limit=1", [3]),
    ])
    func eventsAreSearched(query: String, numbers: [Int]) async throws {
        let log = Fixture.log(0)
        log.append(Fixture.loss)
        var media = Fixture.event(2)
        (media.kind, media.channel) = (.media, "*")
        log.append(media)
        for second in 3...4 { log.append(Fixture.event(second)) }
        let response = await Self.fetch("/events?\(query)", from: Fixture.server(events: log))
        let records: [EventRecord] = try Self.decode(response)
        #expect(records.map(\.number) == numbers)
    }

    /// The answer has the events in memory, and says that there are more, when the disk is out of reach.
    @Test func withoutItsArchiveMemoryAnswers() async throws {
        struct Deaf: EventArchive {
            var health: EventArchiveHealth { EventArchiveHealth(problem: "deaf") }
            func entries(_ search: EventSearch) async -> [EventLog.Entry]? { nil }
            func position(of reader: String) async -> Int? { nil }
            func keep(position: Int, of reader: String) {}
        }
        let server = Fixture.server(archive: Deaf())
        let response = await Self.fetch("/events", from: server)
        let records: [EventRecord] = try Self.decode(response)
        #expect(records.map(\.number) == Array(1...7))
        let field = "X-Packager-Incomplete"
        #expect(response.fields.first(name: field) == "events before those in memory cannot be read at the moment")
        #expect(await Self.fetch("/events?limit=7", from: server).fields.first(name: field) == nil)
        #expect(
            Self.body(await Self.fetch("/metrics", from: server)).contains("packager_event_archive_healthy 0\n")
        )
    }

    @Test func howWebhooksDoIsShown() async throws {
        var status = WebhookStatus(name: "alerts.example.com")
        (status.delivered, status.problem) = (3, "status 503")
        let server = Fixture.server(webhooks: [status])
        let shown: [WebhookStatus] = try Self.decode(await Self.fetch("/webhooks", from: server))
        #expect(shown == [status])
        #expect(Self.body(await Self.fetch("/webhooks")) == "[\n\n]\n")
    }

    @Test func whoWatchesIsPartOfAStatus() async throws {
        var origin = Fixture.origin
        origin.audiences = ["live": ChannelStatus.Audience(viewers: 640, reporting: 3, stalled: 1, stalls: 9)]
        let server = Fixture.server(origin: origin)
        let one: ChannelStatus = try Self.decode(await Self.fetch("/channels/live", from: server))
        #expect(one.audience == origin.audiences["live"])
        let all: [ChannelStatus] = try Self.decode(await Self.fetch("/channels", from: server))
        #expect(all.map(\.audience) == [origin.audiences["live"], nil])
    }

    @Test(arguments: [
        "kind=gaps", "kind=", "channel=", "from=yesterday", "to=2026-11-21", "text=", "before=-1",
        "from=2026-11-21T12:00:03Z&to=2026-11-21T12:00:03Z", "text=" + String(repeating: "x", count: 201),
    ])
    func aBadSearchIsRefused(query: String) async throws {
        #expect(await Self.fetch("/events?\(query)").status == .badRequest)
    }

    @Test(arguments: ["before=7", "from=2026-11-21T12:00:03Z", "to=2026-11-21T12:00:03Z"])
    func aStreamHasNoEnd(query: String) async throws {
        let response = await Self.fetch("/events?\(query)", .GET, ["Accept": "text/event-stream"])
        #expect(response.status == .badRequest)
    }

    @Test(arguments: ["after=", "after=x", "after=99999999999999999999", "limit=1001", "limit=1.5", "after=%31%"])
    func aBadQueryIsRefused(query: String) async throws {
        #expect(await Self.fetch("/events?\(query)").status == .badRequest)
    }
}
