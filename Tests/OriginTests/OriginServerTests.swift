import Glibc
import HTTPServing
import Logging
import NIOCore
import NIOPosix
import Origin
import ServiceLifecycle
import TestSupport
import Testing

@testable import Presentation

@Suite(.timeLimit(.minutes(5))) struct OriginServerTests {
    /// A running server: its port, and the group that shuts it down.
    struct Running: Sendable {
        var port: Int
        var group: ServiceGroup
        var counters: OriginCounters
        var gate: ConnectionGate
        /// Says when the server has ended.
        var ended: AsyncStream<Void>
    }

    private static func withServer<Result: Sendable>(
        _ configuration: OriginConfiguration = OriginConfiguration(port: 0),
        media: ByteBuffer = Fixture.segment,
        soon: Presentation = Presentation(configuration: Fixture.configuration(name: "soon")),
        _ body: (Running) async throws -> Result
    ) async throws -> Result {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let (ended, endContinuation) = AsyncStream.makeStream(of: Void.self)
        let counters = OriginCounters()
        let server = try Fixture.server(
            configuration: configuration,
            media: media,
            soon: soon,
            // As in service: with a line for each request none is answered in front of the parser.
            log: LogLines(level: .info),
            counters: counters,
            onRunning: { continuation.yield($0) }
        )
        let group = ServiceGroup(
            configuration: .init(services: [server], logger: Logger(label: "test") { _ in LogLines() })
        )
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer {
                    continuation.finish()
                    endContinuation.finish()
                }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw ServerError.cannotListen(host: "127.0.0.1", port: 0, reason: "it ended at once")
            }
            let result = try await body(
                Running(port: port, group: group, counters: counters, gate: server.gate, ended: ended)
            )
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: origin\r\n\(fields)\r\n"
    }

    private static let segment = "/live/video-1080p/450000009.m4s"

    // MARK: Requests

    @Test func aConnectionIsKeptForManyRequests() async throws {
        try await Self.withServer { server in
            try await RawClient.connect(port: server.port) { client in
                for _ in 0..<3 {
                    try await client.send(Self.get(Self.segment))
                    let answer = try await client.receive(until: "0123456789")
                    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    #expect(answer.contains("\r\nServer: packager\r\n"))
                    #expect(answer.contains("\r\nDate: "))
                }
            }
            let totals = server.counters.totals
            #expect((totals.requests, totals.bytes, totals.viewers) == (3, 30, 1))
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(
                    Self.get("/live/keys.json") + Self.get("/none") + "HEAD \(Self.segment) HTTP/1.1\r\nHost: x\r\n\r\n"
                        + Self.get(Self.segment, "Connection: close\r\n") + Self.get("/ignored")
                )
                return try await client.receiveAll()
            }
            let statuses = text.matches(of: /HTTP\/1\.1 (\d+)/).map(\.output.1)
            #expect(statuses == ["200", "404", "200", "200"])
            #expect(text.hasSuffix("\r\nConnection: close\r\n\r\n0123456789"))
        }
    }

    @Test(arguments: [
        "GET /live/index.m3u8 HTTP/1.0\r\n\r\n",
        "GET /live/index.m3u8 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /live/index.m3u8 HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
        "GET /live/index.m3u8 HTTP/1.1\r\nHost: x\r\nConnection: TE, close\r\n\r\n",
        "GET /live/index.m3u8 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    ])
    func theLastRequestOfAConnectionClosesIt(request: String) async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(request)
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(text.contains("#EXTM3U"))
        }
    }

    @Test func aClientMayCloseItsHalfAfterItsRequest() async throws {
        try await Self.withServer(media: ByteBuffer(repeating: 7, count: 4_000_000)) { server in
            let count = try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { client in
                try await client.send(Self.get(Self.segment))
                client.outbound.finish()
                return try await client.countAll()
            }
            #expect(count > 4_000_000)
        }
    }

    // MARK: Garbage

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n",
        "\u{0}\u{1}\u{2}\u{3}\r\n\r\n", "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "get / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    ])
    func whatIsNotHTTPIsABadRequest(garbage: String) async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(garbage)
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
            #expect(text.hasSuffix("\r\nConnection: close\r\n\r\nbad request\n"))
        }
    }

    /// A client that keeps its connection would take a second answer for that to its next request.
    @Test func aBodyThatBreaksAfterTheAnswerGetsNoSecondOne() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send("GET \(Self.segment) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                let answer = try await client.receive(until: "0123456789")
                try await client.send("xyz\r\n")
                return try await answer + client.receiveAll()
            }
            #expect(text.hasSuffix("\r\n\r\n0123456789"))
            #expect(server.counters.totals.requests == 1)
        }
    }

    /// The system shuts the listening socket down, as it may at any time.
    @Test func aListeningSocketThatDiesEndsTheServer() async throws {
        await #expect(throws: ServerError.stoppedListening(host: "127.0.0.1", port: 0)) {
            try await Self.withServer { server in
                #expect(Self.shutDownListener(port: server.port))
                await server.ended.first { _ in true }
            }
        }
    }

    private static func shutDownListener(port: Int) -> Bool {
        (0..<4_096).contains { (file: Int32) in
            var (isListening, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length)
            var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            let isNamed = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.baseAddress.map { getsockname(file, $0.assumingMemoryBound(to: sockaddr.self), &size) == 0 }
            }
            guard isListening == 1, isNamed == true, Int(UInt16(bigEndian: address.sin_port)) == port else {
                return false
            }
            return shutdown(file, Int32(SHUT_RDWR)) == 0
        }
    }

    @Test func garbageAfterARequestLeavesItsAnswerWhole() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/%zz") + "GARBAGE\r\n\r\n")
                return try await client.receiveAll()
            }
            #expect(text.contains("\r\n\r\nmalformed target\nHTTP/1.1 400 Bad Request\r\n"))
            #expect(text.hasSuffix("\r\n\r\nbad request\n"))
        }
    }

    @Test(arguments: [
        "GET /" + String(repeating: "a", count: 1_000_000) + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 1_000_000) + "\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "a", count: 1_000_000) + ": x\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "X: 1\r\n", count: 100_000) + "\r\n",
    ])
    func aHeadThatDoesNotEndIsTooLarge(request: String) async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                // The server may have closed before all of it is sent.
                try? await client.send(request)
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
            #expect(text.hasSuffix("\r\n\r\nrequest header fields too large\n"))
        }
    }

    @Test func aLongBodyIsRefusedAndNotWaitedFor() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(
                    "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
                        + String(repeating: "{", count: 100_000)
                )
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 413 Payload Too Large\r\n"))
            #expect(text.contains("\r\n\r\n{\"error\":\"request-too-long\",\"fatal\":true,"))
        }
    }

    @Test func noBytesBringTheServerDown() async throws {
        var generator = SeededGenerator(seed: 3)
        let valid = Array(
            (Self.get("/live/index.m3u8", "Range: bytes=0-1\r\nAccept-Encoding: gzip\r\nIf-None-Match: \"a\"\r\n")
                + "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}").utf8
        )
        try await Self.withServer { server in
            for _ in 0..<200 {
                var bytes = valid
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                }
                let mutated = ByteBuffer(bytes: bytes)
                try await RawClient.connect(port: server.port) { client in
                    try? await client.outbound.write(mutated)
                    client.outbound.finish()
                    let text = try await client.receiveAll()
                    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 "))
                }
            }
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get(Self.segment))
                #expect(try await client.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    // MARK: Limits

    @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n", get(segment)])
    func aSilentConnectionIsClosed(request: String) async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.idleTimeout = .milliseconds(50)
        try await Self.withServer(configuration) { server in
            let text = try await RawClient.connect(port: server.port) { client in
                // The server may have closed before it is sent.
                try? await client.send(request)
                return try await client.receiveAll()
            }
            #expect(text.hasSuffix("0123456789") || text.isEmpty)
        }
    }

    @Test func aClientThatStopsReadingIsReset() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.writeTimeout = .milliseconds(100)
        let media = ByteBuffer(repeating: 7, count: 8_000_000)
        try await Self.withServer(configuration, media: media) { server in
            try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { client in
                try await client.send(Self.get(Self.segment))
                // Nothing is read: only the server can end this.
                try await client.channel.closeFuture.get()
            }
        }
    }

    /// The limit, by how often it cost a connection.
    private static func reached(_ server: Running) -> [ConnectionLimit: Int] { server.gate.totals.reached }

    @Test func theConnectionThatWasIdleForLongestGivesWay() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.maximumConnections = 2
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { first in
                try await first.send(Self.get(Self.segment))
                _ = try await first.receive(until: "0123456789")
                try await RawClient.serversHaveSettled()
                try await RawClient.connect(port: server.port) { second in
                    try await second.send(Self.get(Self.segment))
                    _ = try await second.receive(until: "0123456789")
                    try await RawClient.serversHaveSettled()
                    try await RawClient.connect(port: server.port) { third in
                        try await third.send(Self.get(Self.segment))
                        #expect(try await third.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
                        // It is told by the end of its connection, and nobody else is.
                        #expect(try await first.receiveAll() == "")
                        try await second.send(Self.get(Self.segment))
                        #expect(try await second.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
                    }
                }
            }
            #expect(Self.reached(server) == [.displaced: 1])
        }
    }

    private static let unfinished = "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"

    @Test func aRequestThatDoesNotEndHoldsNobodyUp() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.maximumConnections = 1
        configuration.bodyTimeout = .seconds(600)
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port) { first in
                try await first.send(Self.get(Self.segment))
                _ = try await first.receive(until: "0123456789")
                try await RawClient.serversHaveSettled()
                try await first.send(Self.unfinished)
                try await RawClient.connect(port: server.port) { second in
                    try await second.send(Self.get(Self.segment))
                    #expect(try await second.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
                }
            }
            #expect(Self.reached(server) == [.displaced: 1])
        }
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.bodyTimeout = .milliseconds(50)
        try await Self.withServer(configuration) { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.unfinished)
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            #expect(text.hasSuffix("\r\n\r\nrequest timeout\n"))
        }
    }

    /// The rest of the body is not read without end.
    @Test func aLongBodyBehindAnAnswerEndsTheConnection() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                let body = String(repeating: "x", count: 200_000)
                try? await client.send(Self.get(Self.segment, "Content-Length: 99999999\r\n") + body)
                return try await client.receiveAll()
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\n0123456789"))
        }
    }

    @Test func aConnectionThatIsAnsweredStays() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.maximumConnections = 1
        let media = ByteBuffer(repeating: 7, count: 8_000_000)
        try await Self.withServer(configuration, media: media) { server in
            try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { first in
                try await first.send(Self.get(Self.segment))
                _ = try await first.receive(until: "\r\n\r\n")
                try await RawClient.connect(port: server.port) { second in
                    try? await second.send(Self.get("/channels.json"))
                    let answer = try await second.receiveAll()
                    #expect(answer == "")
                }
                #expect(Self.reached(server) == [.full: 1])
                first.outbound.finish()
                #expect(try await first.countAll() == 8_000_000)
            }
            _ = try await eventually(within: 30, "its place is free") { server.gate.totals.open == 0 ? true : nil }
            try await RawClient.connect(port: server.port) { third in
                try await third.send(Self.get("/channels.json"))
                #expect(try await third.receive(until: "]}").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func anAddressHasItsShareOnly() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.maximumConnectionsPerAddress = 1
        try await Self.withServer(configuration) { server in
            try await RawClient.connect(port: server.port, from: "127.0.0.2") { other in
                try await RawClient.connect(port: server.port) { first in
                    try await first.send(Self.get(Self.segment))
                    _ = try await first.receive(until: "0123456789")
                    try await RawClient.serversHaveSettled()
                    try await RawClient.connect(port: server.port) { second in
                        try await second.send(Self.get(Self.segment))
                        #expect(try await second.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
                        #expect(try await first.receiveAll() == "")
                    }
                }
                // The connection of another address has been idle for longer, but keeps its place.
                try await other.send(Self.get(Self.segment))
                #expect(try await other.receive(until: "0123456789").hasPrefix("HTTP/1.1 200"))
            }
            #expect(Self.reached(server) == [.address: 1])
        }
    }

    /// RFC 9112 § 3.2.2.
    @Test func aTargetInAbsoluteFormIsTaken() async throws {
        try await Self.withServer { server in
            let text = try await RawClient.connect(port: server.port) { client in
                try await client.send(
                    "GET http://other.example:80\(Self.segment)?x=1 HTTP/1.1\r\nHost: x\r\n\r\n"
                        + "GET http://user@host/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                )
                return try await client.receiveAll()
            }
            #expect(text.contains("\r\n\r\n0123456789HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test func aRequestThatIsPipelinedBehindSlowOnesIsAnsweredInItsTurn() async throws {
        let media = ByteBuffer(repeating: 7, count: 1_000_000)
        try await Self.withServer(media: media) { server in
            try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { client in
                // Segments of which each fills the connection, a licence that is made elsewhere, and the end.
                let licence = "POST /live/clearkey HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
                try await client.send(
                    String(repeating: Self.get(Self.segment), count: 3) + licence + Self.get("/live/keys.json")
                )
                client.outbound.finish()
                for _ in 0..<3 {
                    #expect(try await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
                    try await client.skip(1_000_000)
                }
                #expect(try await client.receive(until: "{\"keys\":[]}").hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(try await client.receiveAll().hasSuffix("[]\n"))
            }
        }
    }

    // MARK: Channels that have not begun

    /// Runs a server of a channel that begins when the test says so.
    private static func withStart(
        patience: Duration = .seconds(60),
        _ body: (Running, Presentation) async throws -> Void
    ) async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.startPatience = patience
        let soon = Presentation(configuration: Fixture.configuration(name: "soon"))
        try await withServer(configuration, soon: soon) { server in try await body(server, soon) }
        #expect(soon.waiters.count == 0)
    }

    private static func waits(_ presentation: Presentation, _ count: Int = 1) async throws {
        _ = try await eventually(within: 30, "requests wait") { presentation.waiters.count == count ? true : nil }
    }

    @Test func aPlaylistOfAChannelThatIsStartingIsWaitedFor() async throws {
        try await Self.withStart { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/video-1080p.m3u8") + Self.get("/live/keys.json"))
                try await Self.waits(soon)
                try Fixture.publish(in: soon)
                let answer = try await client.receive(until: "[]\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("#EXTM3U"))
            }
        }
    }

    /// Chromium's own player fails for good with one segment, or two.
    @Test func whoWaitsGetsAPlaylistThatIsLongEnoughToBeginWith() async throws {
        try await Self.withStart { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/video-1080p.m3u8") + Self.get("/live/keys.json"))
                try await Self.waits(soon)
                for number in Int64(0)..<2 {
                    try Fixture.publish(in: soon, number..<number + 1)
                    #expect(soon.waiters.count == 1)
                }
                try Fixture.publish(in: soon, 2..<3)
                let answer = try await client.receive(until: "[]\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.split(separator: "#EXTINF:").count == 4)
            }
        }
    }

    /// A stored feed may be shorter.
    @Test func whatHasEndedIsLongEnough() async throws {
        try await Self.withStart { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/video-1080p.m3u8") + Self.get("/live/keys.json"))
                try await Self.waits(soon)
                try Fixture.publish(in: soon, 0..<1)
                soon.end(now: Fixture.now)
                let answer = try await client.receive(until: "[]\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("#EXT-X-ENDLIST"))
            }
        }
    }

    /// A request that came before the first segment has waited for long when the third is late.
    @Test func whoHasWaitedLongEnoughGetsWhatThereIs() async throws {
        // Long enough to be seen waiting, also by a test that stands still meanwhile.
        try await Self.withStart(patience: .seconds(8)) { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/video-1080p.m3u8") + Self.get("/live/keys.json"))
                try await Self.waits(soon)
                try Fixture.publish(in: soon, 0..<1)
                #expect(soon.waiters.count == 1)
                let answer = try await client.receive(until: "[]\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.split(separator: "#EXTINF:").count == 2)
            }
        }
    }

    @Test func patienceHasAnEnd() async throws {
        try await Self.withStart(patience: .milliseconds(50)) { server, _ in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/index.m3u8") + Self.get("/live/keys.json"))
                let answer = try await client.receive(until: "[]\n")
                #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                #expect(answer.contains("\r\nRetry-After: 4\r\n"))
            }
        }
    }

    @Test(arguments: [(0, "503 Service Unavailable"), (1, "200 OK")])
    func aShutdownAnswersThoseWhoWait(segments: Int64, status: String) async throws {
        try await Self.withStart { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/index.m3u8"))
                try await Self.waits(soon)
                try Fixture.publish(in: soon, 0..<segments)
                await server.group.triggerGracefulShutdown()
                let answer = try await client.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
                #expect(answer.contains("\r\nConnection: close\r\n"))
            }
        }
    }

    /// A client that has closed its half may still want its answer, so that it is known to be gone by then only.
    @Test func whoDoesNotWaitIsForgottenInTheEnd() async throws {
        // Long enough to be seen waiting.
        try await Self.withStart(patience: .seconds(8)) { server, soon in
            try await RawClient.connect(port: server.port) { client in
                try await client.send(Self.get("/soon/index.m3u8"))
                try await Self.waits(soon)
                // What a player that is closed does.
                try await client.channel.close()
            }
            try await Self.waits(soon, 0)
            _ = try await eventually(within: 30, "no connection") { server.gate.totals.open == 0 ? true : nil }
        }
    }

    /// A load balancer that asks how it is must not take it for slow.
    @Test func whoAsksForTheHeadIsToldAtOnce() async throws {
        try await Self.withStart { server, _ in
            try await RawClient.connect(port: server.port) { client in
                try await client.send("HEAD /soon/index.m3u8 HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503"))
            }
        }
    }

    // MARK: Life

    @Test func aShutdownLetsAnAnswerFinish() async throws {
        let media = ByteBuffer(repeating: 7, count: 8_000_000)
        try await Self.withServer(media: media) { server in
            let (head, body) = try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { client in
                try await client.send(Self.get(Self.segment))
                let head = try await client.receive(until: "\r\n\r\n")
                await server.group.triggerGracefulShutdown()
                return (head, try await client.countAll())
            }
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(body == 8_000_000)
        }
    }

    @Test func aShutdownDoesNotWaitForAClientThatDoesNotRead() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.shutdownTimeout = .milliseconds(50)
        let media = ByteBuffer(repeating: 7, count: 8_000_000)
        try await Self.withServer(configuration, media: media) { server in
            try await RawClient.connect(port: server.port, receiveBuffer: 65_536) { client in
                try await client.send(Self.get(Self.segment))
                _ = try await client.receive(until: "\r\n\r\n")
                await server.group.triggerGracefulShutdown()
                for await _ in server.ended {}
            }
        }
    }

    @Test func anAddressInUseIsSaid() async throws {
        _ = try await Self.withServer { server in
            await #expect(
                throws: ServerError.cannotListen(
                    host: "127.0.0.1",
                    port: server.port,
                    reason: "Address already in use"
                )
            ) {
                try await Fixture.server(configuration: OriginConfiguration(port: server.port)).run()
            }
        }
    }

    @Test func anAddressOfAnotherMachineIsSaid() async throws {
        let error = await #expect(throws: ServerError.self) {
            try await Fixture.server(configuration: OriginConfiguration(host: "192.0.2.1", port: 8080)).run()
        }
        #expect(error?.description == "cannot listen on 192.0.2.1:8080: Cannot assign requested address")
    }

    @Test func aHostThatIsNoneIsSaid() async throws {
        let error = await #expect(throws: ServerError.self) {
            try await Fixture.server(configuration: OriginConfiguration(host: "no such host", port: 1)).run()
        }
        #expect(error?.description.hasPrefix("cannot listen on no such host:1: ") == true)
    }
}
