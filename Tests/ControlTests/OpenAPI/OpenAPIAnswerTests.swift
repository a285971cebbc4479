import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Testing

@testable import Control

/// The answers of the control API are as the OpenAPI document says.
@Suite struct OpenAPIAnswerTests {
    /// A server whose answers have everything that there is to say.
    private static func server() -> ControlServer {
        var live = Fixture.live
        live.failures = [.stale]
        live.memory = ChannelStatus.Memory(bytes: 1, limit: 2, droppedEarly: 3, problem: "memory is scarce")
        live.output = ChannelStatus.Storage(isHealthy: true)
        live.push = [
            ChannelStatus.Destination(
                url: "s3://media/live",
                problem: "no complete answer in time",
                waiting: 3,
                lag: Seconds(MediaTime(milliseconds: 2500)),
                failures: ["unreachable": 2],
                recordings: ChannelStatus.Destination.Recordings(waiting: 2, sent: 7, stored: 3000)
            )
        ]
        live.peer = ChannelStatus.Peer(url: "http://192.0.2.7:8080", problem: "no answer")
        live.renditions[0].peak = 5_200_000
        live.renditions[0].average = 5_000_000
        var over = Fixture.live
        (over.name, over.state) = ("over", .ended)
        var webhook = WebhookStatus(name: "alerts.example.com")
        webhook.problem = "status 503"
        let events = Fixture.log(3)
        events.append(Fixture.loss)
        let prospect = UpgradeForecast.EncoderOutcome(
            channel: "live",
            input: "input-1",
            transport: "srt",
            keeps: false,
            reason: "it cannot be"
        )
        return Fixture.server(
            channels: [live, Fixture.soon, over].map(StubChannel.init),
            origin: origin,
            events: events,
            webhooks: [webhook],
            upgrade: UpgradeForecast(obstacle: "standard input", encoders: [prospect])
        )
    }

    private static var origin: OriginStatus {
        var origin = Fixture.origin
        let audience = ChannelStatus.Audience(
            viewers: 640,
            reporting: 3,
            stalled: 1,
            stalls: 9,
            bufferLength: Seconds(MediaTime(milliseconds: 8500)),
            bitrate: 5_000_000,
            throughput: 20_000_000
        )
        origin.audiences = ["live": audience]
        origin.keys = OriginStatus.Keys(granted: 7, refused: ["expired": 2])
        origin.answered = [.init(kind: "segment", code: "200", requests: 1, bytes: 2)]
        origin.certificates = [.init(listener: "control", expiry: Timestamp(Fixture.now))]
        return origin
    }

    /// Asks, and expects an answer that the document has.
    ///
    /// - Returns: The status of the answer.
    @discardableResult
    private static func expectDocumented(
        _ method: HTTPMethod,
        _ uri: String,
        _ fields: HTTPHeaders = [:],
        body: String = "",
        from server: ControlServer = server(),
        as role: ControlRole = .administrator
    ) async throws -> Int {
        let document = try OpenAPIDocument.read()
        let (route, _) = try server.router.table.route(method, uri)
        let operation = try #require(document.operations["\(method.rawValue) \(route.path)"])
        let requester = Requester(name: "ana", role: role)
        let answer = await server.fetch(uri, method, fields, body: ByteBuffer(string: body), as: requester)
        let status = Int(answer.status.code)
        let type = answer.fields.first(name: "Content-Type").map { String($0.prefix { $0 != ";" }) }
        let schema = try document.schema(operation, status, status == 304 ? nil : type)
        guard type == "application/json", status != 304 else { return status }
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body.readableBytesView))
        let problems = try SchemaCheck(document: document).problems(value, schema)
        #expect(problems == [], "\(operation.name) \(status)")
        return status
    }

    @Test(arguments: [
        "/", "/openapi.json", "/healthz", "/readyz", "/metrics", "/origin", "/upgrade", "/webhooks", "/events",
        "/channels", "/channels/live", "/channels/soon", "/channels/live/configuration", "/channels/live/on-air",
        "/channels/live/recordings", "/channels/live/recordings/known",
        "/channels/live/dateranges", "/channels/live/thumbnail.jpg", "/channels/live/inputs/input-1/thumbnail.jpg",
    ])
    func whatIsReadIsAsTheDocumentSays(uri: String) async throws {
        // One of its channels has ended.
        #expect(try await Self.expectDocumented(.GET, uri) == (uri == "/readyz" ? 503 : 200))
        try await Self.expectDocumented(.GET, uri, ["Origin": "https://example.com"])
    }

    @Test(arguments: [
        ("/readyz", 200), ("/readyz?on-air", 503), ("/readyz?off-air", 400), ("/events?kind=nothing", 400),
        ("/channels/nobody", 404), ("/channels/nobody/on-air", 404), ("/channels/nobody/configuration", 404),
        ("/channels/nobody/dateranges", 404), ("/channels/soon/thumbnail.jpg", 404),
        ("/channels/nobody/recordings", 404), ("/channels/soon/recordings", 409),
        ("/channels/live/recordings/unknown", 404),
        ("/channels/live/inputs/backup-1/thumbnail.jpg", 404),
    ])
    func whatCannotBeReadIsAsTheDocumentSays(uri: String, status: Int) async throws {
        #expect(try await Self.expectDocumented(.GET, uri, from: Fixture.server()) == status)
    }

    /// A page, a picture and this document are not sent again.
    @Test(arguments: ["/", "/openapi.json", "/channels/live/thumbnail.jpg"])
    func whatIsKnownIsNotSentAgain(uri: String) async throws {
        let fields: HTTPHeaders = ["Accept": "text/html"]
        let server = Self.server()
        let tag = try #require(await server.fetch(uri, .GET, fields).fields.first(name: "ETag"))
        let known: HTTPHeaders = ["Accept": "text/html", "If-None-Match": tag]
        #expect(try await Self.expectDocumented(.GET, uri, known, from: server) == 304)
    }

    private static let splices = "/channels/live/splices"
    private static let ranges = "/channels/live/dateranges"
    private static let recordings = "/channels/live/recordings"
    private static let past = #""2026-11-21T11:00:00Z""#

    @Test(arguments: [
        ("/channels/live/select", #"{"input": "backup-1", "hold": true}"#, 200), ("/channels/live/select", "{}", 400),
        ("/channels/nobody/select", "{}", 404),
        ("/channels/live/cues", #"{"language": "en", "text": "Hello", "duration": 3}"#, 200),
        ("/channels/live/cues", #"{"language": "en", "text": "Hello", "start": \#(past), "duration": 3}"#, 422),
        (splices, #"{"splices": [{"event": 7, "out": true}, {"event": 8, "out": false, "at": \#(past)}]}"#, 200),
        (splices, #"{"event": 7, "out": true, "at": \#(past)}"#, 422), (splices, #"{"event": 7}"#, 400),
        ("/channels/full/metadata", #"{"frames": [{"id": "TIT2", "value": "a"}]}"#, 200),
        (recordings, #"{"programme": {"event": 7}, "chapters": [{"at": "now", "title": "One"}]}"#, 202),
        (recordings, #"{"programme": {"event": 7}, "keys": "new"}"#, 202),
        (recordings, #"{"programme": {"event": 7}, "keys": "new", "form": "mp4"}"#, 400),
        (recordings, #"{"programme": {"event": 7}, "keys": "new", "title": "clear"}"#, 409),
        (recordings, "{}", 400), (recordings, #"{"from": \#(past), "to": "now", "title": "many"}"#, 409),
        (recordings, #"{"from": \#(past), "to": "2026-11-20T12:00:00Z"}"#, 422),
        (ranges, #"{"ID": "a", "X-A": 1.5}"#, 200), (ranges, #"{"ID": "known"}"#, 409),
        ("/reload?dry-run", "", 200), ("/reload?force", "", 400),
    ])
    func whatIsPostedIsAnsweredAsTheDocumentSays(uri: String, body: String, status: Int) async throws {
        var full = Fixture.live
        full.name = "full"
        let report = ReloadReport(added: [], changed: ["live"], removed: [], unchanged: [], warnings: [])
        let channels = [Fixture.live, full].map(StubChannel.init)
        let server = Fixture.server(channels: channels, operated: Papers(report))
        let fields: HTTPHeaders = ["Content-Type": "application/json"]
        #expect(try await Self.expectDocumented(.POST, uri, fields, body: body, from: server) == status)
        #expect(try await Self.expectDocumented(.POST, uri, fields, body: body, from: server, as: .readOnly) == 403)
    }

    @Test(arguments: [
        (HTTPMethod.PATCH, "known", #"{"END-DATE": "now"}"#, 200), (.PATCH, "other", "{}", 404),
        (.PATCH, "known", "[]", 400), (.DELETE, "known", "", 200), (.DELETE, "other", "", 404),
    ])
    func aDateRangeIsChangedAsTheDocumentSays(method: HTTPMethod, id: String, body: String, status: Int) async throws {
        let fields: HTTPHeaders = ["Content-Type": "application/json"]
        #expect(try await Self.expectDocumented(method, "\(Self.ranges)/\(id)", fields, body: body) == status)
    }

    private static let refusals: [EditRefusal?] = [
        .unknownChannel, .malformed("a"), .forbidden(["a"]), .refused(["a"]), .cannotBeKept(["a"]), .preconditionFailed,
        nil,
    ]

    @Test(arguments: [HTTPMethod.PUT, .PATCH, .DELETE], refusals)
    func aChannelIsEditedAsTheDocumentSays(method: HTTPMethod, refusal: EditRefusal?) async throws {
        // Whoever puts a channel makes it where there is none.
        if method == .PUT, refusal == .unknownChannel { return }
        let server = Fixture.server(operated: Papers(refusal: refusal))
        let fields: HTTPHeaders = ["Content-Type": "application/json"]
        // Only a channel that is put may be new.
        for uri in ["/channels/live", "/channels/new", "/channels/live?dry-run"]
        where method == .PUT || uri != "/channels/new" {
            try await Self.expectDocumented(method, uri, fields, body: "{}", from: server)
        }
        // 412 for what has no body, and 415 for the others.
        let stale: HTTPHeaders = ["If-Match": "\"0\"", "Content-Type": "text/plain"]
        try await Self.expectDocumented(method, "/channels/live", stale, from: server)
    }

    /// The examples of a request do what they say.
    @Test func examplesAreTaken() async throws {
        let document = try OpenAPIDocument.read()
        var count = 0
        for operation in document.operations.values {
            for (type, content) in operation.fields["requestBody"]["content"].fields {
                let schema = try document.resolved(content["schema"])
                for example in schema["examples"].items {
                    #expect(try SchemaCheck(document: document).problems(example, schema) == [], "\(operation.name)")
                    let encoded = try JSONEncoder().encode(example)
                    let status = try await Self.expectDocumented(
                        HTTPMethod(rawValue: operation.method),
                        Self.uri(operation.path) + (type == "text/vtt" ? "?language=en" : ""),
                        ["Content-Type": type],
                        body: example.text ?? String(decoding: encoded, as: UTF8.self)
                    )
                    #expect((200..<300).contains(status), "\(operation.name): \(example)")
                    count += 1
                }
            }
        }
        #expect(count >= 12)
    }

    private static func uri(_ path: String) -> String {
        path.replacing("{name}", with: "live").replacing("{input}", with: "input-1").replacing("{id}", with: "known")
    }
}
