import HTTPServing
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Presentation
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// A request for a form of a playlist that is not made yet waits for it, and no other does.
@Suite(.timeLimit(.minutes(5))) struct HeldPlaylistTests {
    /// Keeps what is to be made until the test says so.
    private final class Held: Sendable {
        private let work = Mutex<(isHeld: Bool, waiting: [@Sendable () -> Void])>((true, []))

        var executor: TextExecutor {
            TextExecutor { work in
                let isHeld = self.work.withLock { held in
                    if held.isHeld { held.waiting.append(work) }
                    return held.isHeld
                }
                if !isHeld { work() }
            }
        }

        var count: Int { work.withLock { $0.waiting.count } }

        func release() {
            let waiting = work.withLock { held in
                held.isHeld = false
                return held.waiting
            }
            for work in waiting { work() }
        }
    }

    private static let path = "/live/video-1080p.m3u8"

    private static func server(
        _ held: Held,
        onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> OriginServer {
        OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [
                OriginChannel(name: "live", presentation: try Fixture.presentation(texts: held.executor)),
                OriginChannel(name: "other", presentation: try Fixture.presentation(name: "other")),
            ],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() },
            onRunning: { onRunning($0) }
        )
    }

    @Test func aRequestBeforeTheFormIsMadeGetsItsBytesOnceItIs() async throws {
        let held = Held()
        let responder = try Self.server(held).responder
        let request = Request(.GET, Self.path, ["Accept-Encoding": "gzip"])
        guard case .pending(let work) = responder.reply(to: request) else {
            Issue.record("it waits")
            return
        }
        // Media needs nothing that is held.
        guard case .answer = responder.reply(to: Request(.GET, "/live/video-1080p/450000009.m4s")) else {
            Issue.record("media waits")
            return
        }
        held.release()
        let answer = await work()
        let expected = try #require(
            try Fixture.presentation().resource("video-1080p.m3u8", now: Fixture.now).gzip
        )
        #expect(answer.status == .ok)
        #expect(answer.body == expected.body)
        #expect(answer.fields.first(name: "ETag") == expected.entityTag)
        guard case .answer(let second) = responder.reply(to: request) else {
            Issue.record("it waits, though it is made")
            return
        }
        #expect(second.body == answer.body)
        #expect(second.fields == answer.fields)
    }

    /// As many connections as there are event loops, and more: one of them shares that of the request that waits.
    @Test func aRequestThatWaitsHoldsUpNoOtherOnItsEventLoop() async throws {
        let held = Held()
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = try Self.server(held) { continuation.yield($0) }
        let group = ServiceGroup(
            configuration: .init(services: [server], logger: Logger(label: "test") { _ in LogLines() })
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            let port = try #require(await ports.first { _ in true })
            try await RawClient.connect(port: port) { waiting in
                try await waiting.send("GET \(Self.path) HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n")
                _ = try await eventually(within: 30, "a text is wanted") { held.count == 1 ? true : nil }
                for _ in 0..<System.coreCount * 2 {
                    try await RawClient.connect(port: port) { client in
                        try await client.send(
                            "GET /other/video-1080p.m3u8 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n"
                                + "Connection: close\r\n\r\n"
                        )
                        #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 200 OK\r\n"))
                    }
                }
                #expect(held.count == 1)
                held.release()
                #expect(try await waiting.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

extension Lookup {
    fileprivate var gzip: PlaylistText.Representation? {
        if case .found(let resource) = self { resource.gzip } else { nil }
    }
}
