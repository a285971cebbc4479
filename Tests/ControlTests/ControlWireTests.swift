import HTTPServing
import Logging
import NIOCore
import Operations
import Presentation
import ServiceLifecycle
import TestSupport
import Testing

@testable import Control

/// The control API byte by byte: what stands behind it may change, and this may not.
@Suite(.timeLimit(.minutes(5))) struct ControlWireTests {
    /// Sends text to a server of its own, and perhaps closes its half of the connection.
    ///
    /// - Returns: Everything that comes until the server closes.
    private static func answers(
        to text: String,
        closesHalf: Bool = false,
        configuration: ControlConfiguration = ControlConfiguration(port: 0)
    ) async throws -> String {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = Fixture.server(configuration, onRunning: { continuation.yield($0) })
        let group = ServiceGroup(
            configuration: .init(
                services: [server],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            let port = try #require(await ports.first { _ in true })
            let received = try await RawClient.connect(port: port) { client in
                // The server may have closed before all of it is sent.
                try? await client.outbound.write(ByteBuffer(string: text))
                if closesHalf { client.outbound.finish() }
                return try await client.receive(until: "never")
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return received
        }
    }

    private static func get(_ path: String, _ fields: String = "Connection: close\r\n") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func post(_ path: String, _ fields: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)\r\n\(body)"
    }

    private static func statuses(_ text: String) -> [String] {
        text.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.output.1) }
    }

    /// The head of an answer, without its date.
    private static func head(_ text: String) -> [String] {
        text.prefix(upTo: text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)
            .split(separator: "\r\n").filter { !$0.hasPrefix("Date: ") }.map(String.init)
    }

    @Test func anAnswerHasTheFieldsOfAll() async throws {
        let text = try await Self.answers(to: Self.get("/healthz"))
        #expect(
            Self.head(text) == [
                "HTTP/1.1 200 OK", "Content-Type: text/plain; charset=utf-8", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "Content-Length: 2", "Referrer-Policy: no-referrer",
                "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "Server: packager",
                "Connection: close",
            ]
        )
        #expect(text.contains("\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\n"))
        #expect(text.hasSuffix("\r\n\r\nok"))
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n",
        "POST /reload HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        post("/channels/live/select", "Transfer-Encoding: chunked\r\n", "xyz\r\n"),
    ])
    func whatIsNotHTTPIsABadRequest(garbage: String) async throws {
        let text = try await Self.answers(to: garbage + Self.get("/healthz"))
        #expect(Self.statuses(text) == ["400"])
        #expect(text.contains("\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nbad request\n"))
    }

    @Test func garbageBehindARequestIsAnsweredInItsTurn() async throws {
        let text = try await Self.answers(to: Self.get("/healthz", "") + "GARBAGE\r\n\r\n")
        #expect(Self.statuses(text) == ["200", "400"])
        #expect(text.hasSuffix("\r\n\r\nbad request\n"))
    }

    @Test(arguments: [
        "GET /" + String(repeating: "a", count: 1_000_000) + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 1_000_000) + "\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "X: 1\r\n", count: 100_000) + "\r\n",
    ])
    func aHeadThatDoesNotEndIsTooLarge(request: String) async throws {
        let text = try await Self.answers(to: request)
        #expect(Self.statuses(text) == ["431"])
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nrequest header fields too large\n"))
    }

    @Test(arguments: ["Content-Length: 99999999\r\n", "Transfer-Encoding: chunked\r\n"])
    func aLongBodyIsRefusedAndNotWaitedFor(field: String) async throws {
        let body = String(repeating: "{", count: 100_000)
        let request = Self.post("/channels/live/select", field, field.contains("chunked") ? "186a0\r\n" + body : body)
        let text = try await Self.answers(to: request)
        #expect(Self.statuses(text) == ["413"])
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.contains("the body is longer than 65536 bytes"))
    }

    /// Neither is the body read, nor does anything that follows count.
    @Test(arguments: [
        ("/channels/none/select", "404"), ("/none", "404"), ("/healthz", "405"), ("/channels/live/select?", "408"),
    ])
    func whatDependsOnNoBodyIsAnsweredBeforeIt(path: String, status: String) async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.bodyTimeout = .seconds(1)
        let request = Self.post(path, "Content-Length: 100\r\n", "{")
        let text = try await Self.answers(to: request, configuration: configuration)
        #expect(Self.statuses(text) == [status])
        #expect(text.contains("\r\nConnection: close\r\n"))
    }

    @Test func aMethodThatIsNotAllowedNamesThoseThatAre() async throws {
        let text = try await Self.answers(to: "DELETE" + Self.get("/channels").dropFirst(3))
        #expect(Self.statuses(text) == ["405"])
        #expect(text.contains("\r\nAllow: GET, HEAD\r\n"))
        #expect(text.hasSuffix("\n    \"the method must be GET, HEAD\"\n  ]\n}\n"))
    }

    @Test(arguments: [("PROPFIND", "/channels", "501"), ("PROPFIND", "/none", "501"), ("GET", "/none", "404")])
    func aStrangersRequestGetsItsStatus(method: String, path: String, status: String) async throws {
        let text = try await Self.answers(
            to: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        #expect(Self.statuses(text) == [status])
    }

    /// RFC 3986 does not, but a path with a slash too many has always been understood.
    @Test(arguments: ["/channels/", "//channels", "/channels//"]) func emptyPartsOfAPathCountForNothing(
        path: String
    ) async throws {
        let text = try await Self.answers(to: Self.get(path))
        #expect(Self.statuses(text) == ["200"])
    }

    @Test func headHasNoBody() async throws {
        for path in ["/healthz", "/none"] {
            let text = try await Self.answers(to: Self.get(path))
            let head = try await Self.answers(to: "HEAD" + Self.get(path).dropFirst(3))
            #expect(Self.head(head) == Self.head(text))
            #expect(head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let select = Self.post("/channels/live/select", "Content-Length: 20\r\n", #"{"mode":"automatic"}"#)
        let text = try await Self.answers(
            to: Self.get("/none", "") + select + Self.get("/healthz", "") + Self.get("/upgrade") + Self.get("/ignored")
        )
        #expect(Self.statuses(text) == ["404", "200", "200", "200"])
        #expect(text.ranges(of: "Connection: close").count == 1)
    }

    @Test func onlySoManyRequestsWaitAndTheConnectionEnds() async throws {
        let requests = String(repeating: Self.get("/healthz", ""), count: 2000)
        let text = try await Self.answers(to: requests)
        #expect((64..<2000).contains(Self.statuses(text).count))
    }

    @Test func aClientMayCloseItsHalfAfterItsRequest() async throws {
        let text = try await Self.answers(to: Self.get("/channels", ""), closesHalf: true)
        #expect(Self.statuses(text) == ["200"])
        #expect(text.hasSuffix("\n]\n"))
    }

    /// One chunk for each write, and the last one when the server ends the stream.
    @Test func eventsComeInChunks() async throws {
        let signal = EventSignal()
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = Fixture.server(events: Fixture.log(1), signal: signal, onRunning: { continuation.yield($0) })
        let task = Task { try await server.run() }
        let port = try #require(await ports.first { _ in true })
        try await RawClient.connect(port: port) { client in
            try await client.get("/events?after=0", fields: "Accept: text/event-stream\r\n")
            let head = try await client.receive(until: "\r\n\r\n").lowercased()
            #expect(head.contains("\r\ntransfer-encoding: chunked\r\n"))
            #expect(head.contains("\r\nvary: accept\r\n"))
            #expect(!head.contains("\r\ncontent-length:"))
            #expect(try await client.receive(until: "\n\n\r\n") == "d\r\nretry: 2000\n\n\r\n")
            let event = try await client.receive(until: "\n\n\r\n")
            let (size, rest) = (event.prefix { $0 != "\r\n" }, event.drop { $0 != "\r\n" }.dropFirst())
            #expect(Int(size, radix: 16) == rest.utf8.count - 2)
            signal.finish()
            #expect(try await client.receive(until: "0\r\n\r\n") == "0\r\n\r\n")
            // It was an answer like any other: the connection stands.
            try await client.get("/healthz", fields: "Connection: close\r\n")
            #expect(try await client.receive(until: "never").hasSuffix("\r\n\r\nok"))
        }
        task.cancel()
        _ = await task.result
    }
}
