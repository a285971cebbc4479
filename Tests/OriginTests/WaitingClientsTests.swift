import Logging
import MediaCore
import NIOCore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Origin
@testable import Presentation

/// Clients whose requests wait for what is published next, over a network.
@Suite(.timeLimit(.minutes(5))) struct WaitingClientsTests {
    private static let reload = "GET /live/video-1080p.m3u8?_HLS_msn=\(Fixture.first + 10) HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Runs the server of a channel with parts of a second, whose newest segment is the tenth.
    private static func withServer(
        _ configuration: OriginConfiguration = OriginConfiguration(port: 0),
        _ body: (Int, Presentation) async throws -> Void
    ) async throws {
        let presentation = try Fixture.presentation(partTarget: MediaTime(seconds: 1))
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = OriginServer(
            configuration: configuration,
            channels: [OriginChannel(name: "live", presentation: presentation)],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines(level: .info) },
            onRunning: { continuation.yield($0) }
        )
        let group = ServiceGroup(
            configuration: .init(services: [server], logger: Logger(label: "test") { _ in LogLines() })
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            let port = try #require(await ports.first { _ in true })
            try await body(port, presentation)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(presentation.waiters.count == 0)
    }

    private static func waits(_ presentation: Presentation, _ count: Int) async throws {
        _ = try await eventually(within: 60, "requests wait") { presentation.waiters.count == count ? true : nil }
    }

    private final class Leaving: Sendable {
        let isAllowed = Mutex(false)
    }

    /// Every other one leaves at the moment of the publication.
    @Test func allWhoWaitAreAnsweredWhateverOthersDo() async throws {
        try await Self.withServer { port, presentation in
            try await withThrowingTaskGroup(of: String.self) { clients in
                let leaving = Leaving()
                for number in 0..<60 {
                    clients.addTask {
                        try await RawClient.connect(port: port) { client in
                            try await client.send(Self.reload)
                            if number % 2 == 0 { return try await client.receive(until: "\r\n\r\n") }
                            _ = try await eventually(within: 60, "it leaves") {
                                leaving.isAllowed.withLock { $0 } ? true : nil
                            }
                            try await client.channel.close()
                            return ""
                        }
                    }
                }
                try await Self.waits(presentation, 60)
                leaving.isAllowed.withLock { $0 = true }
                try Fixture.publish(in: presentation, 10..<11)
                var answers = 0
                for try await answer in clients where !answer.isEmpty {
                    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    #expect(answer.contains("\r\nCache-Control: public, max-age=36\r\n"))
                    answers += 1
                }
                #expect(answers == 30)
            }
        }
    }

    /// A connection is there for the next request as well, which may wait again.
    @Test func aPlayerWaitsForOneSegmentAfterTheOther() async throws {
        try await Self.withServer { port, presentation in
            try await RawClient.connect(port: port) { client in
                for number in Int64(10)..<13 {
                    let uri = "/live/audio-en.m3u8?_HLS_msn=\(Fixture.first + number)"
                    try await client.send("GET \(uri) HTTP/1.1\r\nHost: x\r\n\r\n")
                    try await Self.waits(presentation, 1)
                    try Fixture.publish(in: presentation, number..<number + 1)
                    let answer = try await client.receive(until: "/\(Fixture.first + number).m4s\n")
                    #expect(answer.contains("HTTP/1.1 200 OK\r\n"))
                }
            }
        }
    }

    /// The client sends a byte now and then, and never ends its head.
    @Test func aHeadThatTricklesInKeepsNoConnection() async throws {
        var configuration = OriginConfiguration(port: 0)
        configuration.idleTimeout = .milliseconds(200)
        try await Self.withServer(configuration) { port, presentation in
            try await RawClient.connect(port: port) { client in
                do {
                    try await client.send(String(Self.reload.dropLast(2)) + "X: ")
                    while client.channel.isActive {
                        try await client.send("x")
                        try await RawClient.serversHaveSettled()
                    }
                } catch {
                    // The server has closed the connection.
                }
                #expect(presentation.waiters.count == 0)
            }
        }
    }
}
