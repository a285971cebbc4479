import Glibc
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

/// Connections that go from one server to another, and clients that notice nothing.
@Suite(.timeLimit(.minutes(5))) struct HandoverTests {
    private static func server(_ name: String, inherited: CInt? = nil) -> HTTPServer {
        var configuration = HTTPServer.Configuration(
            host: "127.0.0.1",
            port: 0,
            limits: .init(total: 100, perAddress: 100),
            timeouts: ConnectionTimeouts(write: .seconds(30), linger: .seconds(1), shutdown: .seconds(30)),
            maximumHeadBytes: 16_384,
            maximumBodyBytes: 65_536
        )
        configuration.inherited = inherited
        return HTTPServer(configuration, now: { .zero }) { _, _ in }
    }

    /// Runs a server until the task is cancelled.
    ///
    /// It answers with its name, or has requests wait for ever.
    private static func run(
        _ server: HTTPServer,
        _ name: String,
        waits: Bool = false
    ) async throws -> (Task<Void, any Error>, port: Int) {
        let waiting = Waiting { _, _ in
            {}
        } reply: {
            .answer(.text("refused"))
        }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let task = Task {
            try await server.run(onRunning: { continuation.yield($0) }) { _ in
                waits
                    ? FixedResponder(.answer(.waiting(waiting)))
                    : FixedResponder(.answer(.answer(.text(name))), prepared: .text(name))
            }
        }
        for await port in ports { return (task, port) }
        throw CancellationError()
    }

    private final class Client {
        let descriptor: CInt

        init(_ port: Int) throws {
            descriptor = try #require(ClientSocket.connected(to: port))
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) }

        /// Returns once the server has read all that was sent.
        func isRead() async throws {
            let port = try #require(ClientSocket.localPort(of: descriptor))
            _ = try await eventually(within: 20, "the server has read it") {
                ClientSocket.isAllRead(from: port) ? true : nil
            }
        }

        /// The body of the next answer; empty if none comes.
        func answer() -> String {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            return text.split(separator: "\r\n\r\n").last.map(String.init) ?? ""
        }
    }

    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func anotherServerGoesOnWithSocketAndConnections() async throws {
        let old = Self.server("old")
        let (oldTask, port) = try await Self.run(old, "old")
        let (idle, late) = (try Client(port), try Client(port))
        idle.send(Self.request)
        #expect(idle.answer() == "old")
        // Half a request, which only who has read it can answer.
        late.send(String(Self.request.prefix(20)))
        _ = try await eventually(within: 20, "both are there") { old.gate.totals.open == 2 ? true : nil }
        try await late.isRead()
        let copy = try #require(await old.socket.copy())
        let new = Self.server("new", inherited: copy)
        let (newTask, newPort) = try await Self.run(new, "new")
        #expect(newPort == port)
        let adopted = Mutex(0)
        old.socket.retire { connection in
            adopted.withLock { $0 += 1 }
            new.socket.adopt(connection)
        }
        _ = try await eventually(within: 20, "the idle one goes over") { adopted.withLock { $0 } == 1 ? true : nil }
        idle.send(Self.request)
        #expect(idle.answer() == "new")
        late.send(String(Self.request.dropFirst(20)))
        #expect(late.answer() == "old")
        _ = try await eventually(within: 20, "the other one follows") { adopted.withLock { $0 } == 2 ? true : nil }
        late.send(Self.request)
        #expect(late.answer() == "new")
        _ = try await eventually(within: 20, "they are counted") {
            new.gate.totals.open == 2 && old.gate.totals.open == 0 ? true : nil
        }
        let other = try Client(port)
        other.send(Self.request)
        #expect(other.answer() == "new")
        oldTask.cancel()
        newTask.cancel()
        _ = await (oldTask.result, newTask.result)
    }

    /// What the old server waits for is published by the new one; nginx asks as the last three do, unless it is told
    /// otherwise.
    @Test(arguments: [
        (request, true), ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
    ])
    func aRequestThatWaitsGoesAlong(request: String, continues: Bool) async throws {
        let old = Self.server("old")
        let (oldTask, port) = try await Self.run(old, "old", waits: true)
        let client = try Client(port)
        client.send(request)
        try await client.isRead()
        let copy = try #require(await old.socket.copy())
        let new = Self.server("new", inherited: copy)
        let (newTask, _) = try await Self.run(new, "new")
        let bytes = Mutex("")
        old.socket.retire { connection in
            bytes.withLock { $0 = String(buffer: connection.bytes) }
            new.socket.adopt(connection)
        }
        #expect(client.answer() == "new")
        #expect(bytes.withLock { $0 } == request)
        client.send(Self.request)
        #expect(client.answer() == (continues ? "new" : ""))
        oldTask.cancel()
        newTask.cancel()
        _ = await (oldTask.result, newTask.result)
    }

    /// Bytes that were read and belong to the next request are the first that the successor reads.
    @Test func bytesThatWereReadGoAlong() async throws {
        let server = Self.server("new")
        let (task, port) = try await Self.run(server, "new")
        defer { task.cancel() }
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let client = try Client(port)
        #expect(dup2(ends[0], client.descriptor) >= 0)
        close(ends[0])
        server.socket.adopt(
            Handover.Connection(descriptor: ends[1], bytes: ByteBuffer(string: String(Self.request.prefix(9))))
        )
        client.send(String(Self.request.dropFirst(9)))
        #expect(client.answer() == "new")
    }
}
