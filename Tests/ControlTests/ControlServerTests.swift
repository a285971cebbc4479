import Files
import HTTPServing
import Logging
import NIOCore
import Operations
import Presentation
import ServiceLifecycle
import TestSupport
import Testing

@testable import Control

@Suite(.timeLimit(.minutes(5))) struct ControlServerTests {
    /// A running server: its port, and the group that shuts it down.
    private struct Running: Sendable {
        var port: Int
        var group: ServiceGroup
    }

    /// Runs a server until `body` is done, and expects that it then ends.
    private static func withServer<Result: Sendable>(
        _ configuration: ControlConfiguration = ControlConfiguration(port: 0),
        access: ControlAccess = ControlAccess(),
        events: EventLog = Fixture.log(),
        signal: EventSignal = EventSignal(),
        _ body: (Running) async throws -> Result
    ) async throws -> Result {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = Fixture.server(
            configuration,
            access: access,
            events: events,
            signal: signal,
            onRunning: { continuation.yield($0) }
        )
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
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw ServerError.cannotListen(host: "127.0.0.1", port: 0, reason: "it ended at once")
            }
            let result = try await body(Running(port: port, group: group))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    @Test func itAnswersAtTheBoundPort() async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.get("/healthz")
                let answer = try await client.receive(until: "\r\n\r\nok")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("\r\nServer: packager\r\n"))
            }
        }
    }

    @Test func aHostThatIsNotItsOwnIsRefused() async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.get("/channels", host: "rebound.example:\(server.port)")
                let refusal = try await client.receive(until: "\n}\n")
                #expect(refusal.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
                // The connection stands: the next request is answered.
                try await client.get("/channels", host: "localhost:\(server.port)")
                #expect(try await client.receive(until: "\n]\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
        }
    }

    @Test(arguments: [
        "GET /channels HTTP/1.1\r\n\r\n", "GET /channels HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\n\r\n",
        "GET http://localhost/channels HTTP/1.1\r\n\r\n",
    ])
    func aRequestWithoutOneHostIsABadOne(request: String) async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.outbound.write(ByteBuffer(string: request))
                let answer = try await client.receive(until: "never")
                #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
                #expect(answer.hasSuffix("\r\n\r\nbad request\n"))
            }
        }
    }

    /// RFC 9112 § 3.2.2: the host of the target counts, and is checked like the field.
    @Test func aTargetInAbsoluteFormIsTaken() async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.get("http://localhost:1/healthz", host: "rebound.example")
                #expect(try await client.receive(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 OK\r\n"))
                try await client.get("http://rebound.example/healthz", host: "localhost")
                #expect(try await client.receive(until: "\n}\n").hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
            }
        }
    }

    /// HTTP/1.0, as load balancers ask in, knows no Host.
    @Test func aCheckInHTTP10IsAnswered() async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.outbound.write(ByteBuffer(string: "GET /healthz HTTP/1.0\r\n\r\n"))
                #expect(try await client.receive(until: "never").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
        }
    }

    /// Opens this many event streams, one within the other.
    private static func follow(
        _ count: Int,
        _ port: Int,
        _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await RawClient.connect(port: port) { client in
            var status = ""
            // The place of a stream that has left is free once its answer is given up, a moment after it follows no more:
            // how long that is depends on the machine, and the suite's time limit is the end of it.
            while true {
                try await client.get("/events", fields: "Accept: text/event-stream\r\n")
                status = try await client.receive(until: "\r\n")
                guard status.hasPrefix("HTTP/1.1 503 ") else { break }
                _ = try await client.receive(until: "\n}\n")
            }
            #expect(status == "HTTP/1.1 200 OK\r\n")
            _ = try await client.receive(until: "retry: 2000\n\n")
            try await follow(count - 1, port, body)
        }
    }

    @Test func eventStreamsLeaveRoomForASupervisor() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.maximumConnections = 8
        configuration.maximumStreams = 4
        // That somebody has left shows when something is written.
        configuration.heartbeat = .milliseconds(100)
        let signal = EventSignal()
        try await Self.withServer(configuration, signal: signal) { server in
            try await Self.follow(4, server.port) {
                for _ in 0..<10 {
                    try await RawClient.connect(port: server.port) { client in
                        try await client.get("/events", fields: "Accept: text/event-stream\r\n")
                        let refusal = try await client.receive(until: "\n}\n")
                        #expect(refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                        #expect(refusal.contains("\r\nRetry-After: 2\r\n"))
                        try await client.get("/healthz")
                        #expect(try await client.receive(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 OK\r\n"))
                    }
                }
            }
            _ = try await eventually(within: 30, "no follower") { signal.followerCount == 0 ? true : nil }
            // Those who left have left their places.
            try await Self.follow(4, server.port) {}
        }
    }

    @Test func whoOnlyHoldsConnectionsDoesNotSilenceIt() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.maximumConnections = 2
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { first in
                // Connections are let in on several threads: an answer says that this one was the first.
                try await first.get("/healthz")
                _ = try await first.receive(until: "\r\n\r\nok")
                try await RawClient.serversHaveSettled()
                try await RawClient.connect(port: server.port) { second in
                    try await second.get("/healthz")
                    _ = try await second.receive(until: "\r\n\r\nok")
                    try await RawClient.serversHaveSettled()
                    try await RawClient.connect(port: server.port) { client in
                        try await client.get("/healthz")
                        #expect(try await client.receive(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 OK\r\n"))
                    }
                    #expect(try await first.receive(until: "never") == "")
                }
            }
        }
    }

    private static let unfinished =
        "POST /channels/live/select HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: 100\r\n\r\n{"

    /// Opens so many connections, each with a request that does not end.
    private static func hold(_ count: Int, _ port: Int, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        try await RawClient.connect(port: port) { client in
            try await client.get("/healthz")
            #expect(try await client.receive(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await client.outbound.write(ByteBuffer(string: unfinished))
            try await hold(count - 1, port, body)
        }
    }

    @Test func requestsThatDoNotEndDoNotSilenceIt() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.maximumConnections = 4
        configuration.bodyTimeout = .seconds(600)
        try await Self.withServer(configuration) { server in
            try await Self.hold(4, server.port) {
                for path in ["/healthz", "/readyz"] {
                    try await RawClient.connect(port: server.port) { client in
                        try await client.get(path, fields: "Connection: close\r\n")
                        #expect(try await client.receive(until: "never").hasPrefix("HTTP/1.1 "))
                    }
                }
            }
        }
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.bodyTimeout = .milliseconds(50)
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { client in
                try await client.outbound.write(ByteBuffer(string: Self.unfinished))
                let answer = try await client.receive(until: "never")
                #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
                #expect(answer.contains("\r\nConnection: close\r\n"))
                #expect(answer.hasSuffix("\r\n\r\nrequest timeout\n"))
            }
        }
    }

    /// Neither the first answer nor the end of the connection waits for the rest of the body.
    @Test func whatIsRefusedIsNotReadToItsEnd() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.bodyTimeout = .seconds(600)
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { client in
                let request = Self.unfinished.replacing("application/json", with: "text/plain")
                try await client.outbound.write(ByteBuffer(string: request))
                let answer = try await client.receive(until: "never")
                #expect(answer.hasPrefix("HTTP/1.1 415 Unsupported Media Type\r\n"))
                #expect(answer.contains("\r\nConnection: close\r\n"))
            }
        }
    }

    @Test func eventsArriveAsTheyHappenAndEndWithTheServer() async throws {
        let signal = EventSignal()
        let log = Fixture.log(3, signal: signal)
        try await Self.withServer(events: log, signal: signal) { server in
            try await RawClient.connect(port: server.port) { client in
                // What the reader has got outweighs its URL.
                try await client.get("/events?after=0", fields: "Accept: text/event-stream\r\nLast-Event-ID: 2\r\n")
                let head = try await client.receive(until: "retry: 2000\n\n")
                #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
                #expect(try await client.receive(until: "}\n\n").contains("id: 3\n"))
                log.append(Fixture.event(4))
                #expect(try await client.receive(until: "}\n\n").contains("id: 4\n"))
                await server.group.triggerGracefulShutdown()
                #expect(try await client.receive(until: "never").hasSuffix("0\r\n\r\n"))
            }
        }
        #expect(signal.followerCount == 0)
    }

    /// Whoever has a token reads no longer than it is valid.
    @Test func aStreamEndsWithItsToken() async throws {
        let directory = try TemporaryDirectory()
        // `printf secret-of-ana | sha256sum`
        let ana = "ana operator 9129334f8946ba5c0e52ba6e38300cc2c5d8bf1a8502959438c1462b8429e211\n"
        let zoe = "zoe operator 1937509c94581b765330cfa8ab25fc013afd748932aa35ce64582b6448fe3519\n"
        let path = try directory.write(ana + zoe, to: "tokens")
        let tokens = try FollowedFiles([path]) { try ControlTokens(list: $0[0]) }
        let signal = EventSignal()
        let log = Fixture.log(0, signal: signal)
        let access = ControlAccess(tokens: tokens)
        try await Self.withServer(access: access, events: log, signal: signal) { server in
            try await RawClient.connect(port: server.port) { client in
                let fields = "Accept: text/event-stream\r\nAuthorization: Bearer secret-of-ana\r\n"
                try await client.get("/events?after=0", fields: fields)
                log.append(Fixture.event(1, message: "first"))
                _ = try await client.receive(until: "first")
                _ = try directory.write(zoe, to: "tokens")
                _ = try #require(tokens.look()).get()
                log.append(Fixture.event(2, message: "second"))
                #expect(!(try await client.receive(until: "second")).contains("second"))
            }
        }
        #expect(signal.followerCount == 0)
    }

    @Test func aReaderThatDoesNotReadIsCutOff() async throws {
        var configuration = ControlConfiguration(port: 0)
        // Long enough to be seen following, also by a test that stands still meanwhile.
        configuration.writeTimeout = .seconds(8)
        let signal = EventSignal()
        let log = Fixture.log(0, signal: signal)
        // More than the buffers of both sockets hold.
        let message = String(repeating: "x", count: 16_000)
        for number in 0..<1500 { log.append(Fixture.event(number, message: message)) }
        try await Self.withServer(configuration, events: log, signal: signal) { server in
            try await RawClient.connect(port: server.port, readsByItself: false) { client in
                try await client.get("/events?after=0", fields: "Accept: text/event-stream\r\n")
                _ = try await eventually(within: 60, "a follower") { signal.followerCount == 1 ? true : nil }
                _ = try await eventually(within: 60, "no follower") { signal.followerCount == 0 ? true : nil }
            }
        }
    }

    @Test func aRequestThatDoesNotEndDoesNotHoldUpTheShutdown() async throws {
        var configuration = ControlConfiguration(port: 0)
        configuration.shutdownTimeout = .milliseconds(20)
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { client in
                // The answer to the first request shows that the connection is served.
                try await client.get("/healthz")
                _ = try await client.receive(until: "\r\n\r\nok")
                try await client.get("/healthz", fields: "Content-Length: 10\r\n")
                _ = try await client.receive(until: "\r\n\r\nok")
                await server.group.triggerGracefulShutdown()
                #expect(try await client.receive(until: "never") == "")
            }
        }
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        try await Self.withServer { server in
            let second = Fixture.server(ControlConfiguration(port: server.port))
            await #expect(
                throws: ServerError.cannotListen(
                    host: "127.0.0.1",
                    port: server.port,
                    reason: "Address already in use"
                )
            ) {
                try await second.run()
            }
        }
    }
}
