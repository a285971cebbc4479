import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

/// Answers that take their time, and bodies that are written while they are made.
@Suite(.timeLimit(.minutes(5))) struct StreamedAnswerTests {
    private static let gate = ConnectionGate(limits: .init(total: 1000, perAddress: 1000))

    private static func connection(_ reply: Reply) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            let handler = RequestHandler.answering(.answer(reply), try #require(gate.admit(channel)))
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    private static func stream(_ stream: @escaping Answer.Stream) -> Reply {
        var answer = Answer(.ok, [:])
        answer.stream = stream
        return .answer(answer)
    }

    private static func ask(
        _ channel: NIOAsyncTestingChannel,
        _ version: HTTPVersion = .http1_1,
        isWhole: Bool = true
    ) async throws {
        let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: ["Host": "x"])
        try await channel.writeInbound(HTTPServerRequestPart.head(head))
        if isWhole { try await channel.writeInbound(HTTPServerRequestPart.end(nil)) }
    }

    /// Returns the output up to and including some text.
    private static func written(_ channel: NIOAsyncTestingChannel, until end: String) async throws -> String {
        var text = ""
        while !text.hasSuffix(end) {
            guard case .byteBuffer(let bytes) = try await channel.waitForOutboundWrite(as: IOData.self) else {
                continue
            }
            text += String(buffer: bytes)
        }
        return text
    }

    private static let fields = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: packager\r\n"

    @Test func aBodyComesInChunksAndTheConnectionStands() async throws {
        let channel = try await Self.connection(
            Self.stream { write in
                try await write(ByteBuffer(string: "first"))
                // A chunk without bytes would be the last.
                try await write(ByteBuffer())
                try await write(ByteBuffer(string: "0123456789abcdef"))
            }
        )
        // The second one waits for its turn.
        for _ in 0..<2 { try await Self.ask(channel) }
        for _ in 0..<2 {
            #expect(
                try await Self.written(channel, until: "\r\n0\r\n\r\n") == "HTTP/1.1 200 OK\r\n"
                    + "Transfer-Encoding: chunked\r\n\(Self.fields)\r\n5\r\nfirst\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n"
            )
        }
        #expect(channel.isActive)
    }

    /// RFC 9112 § 6.2.
    @Test func aBodyOfAKnownLengthComesAsItIsAndTheConnectionStands() async throws {
        let answer = Answer.ok([:], byteCount: 10, status: .ok) { write in
            for text in ["first", "later"] { try await write(ByteBuffer(string: text)) }
        }
        #expect(answer.byteCount == 10)
        let channel = try await Self.connection(.answer(answer))
        for _ in 0..<2 { try await Self.ask(channel) }
        for _ in 0..<2 {
            #expect(
                try await Self.written(channel, until: "later") == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"
                    + "\(Self.fields)\r\nfirstlater"
            )
        }
        #expect(channel.isActive)
    }

    /// RFC 9112 § 6.1.
    @Test func aClientOfHTTP10GetsNoChunks() async throws {
        let channel = try await Self.connection(Self.stream { try await $0(ByteBuffer(string: "first")) })
        try await Self.ask(channel, .http1_0)
        try await channel.closeFuture.get()
        let text = try await Self.written(channel, until: "first")
        #expect(text == "HTTP/1.1 200 OK\r\n\(Self.fields)Connection: close\r\n\r\nfirst")
    }

    @Test func aBodyWaitsForAClientThatTakesNothing() async throws {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let order = Mutex<[String]>([])
        let channel = try await Self.connection(
            Self.stream { write in
                for await _ in begins { break }
                try await write(ByteBuffer(string: "first"))
                order.withLock { $0.append("taken") }
            }
        )
        try await Self.ask(channel)
        _ = try await Self.written(channel, until: "\r\n\r\n")
        try await channel.testingEventLoop.executeInContext {
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
        }
        begin.yield()
        _ = try await Self.written(channel, until: "\r\nfirst\r\n")
        try await channel.testingEventLoop.executeInContext {
            order.withLock { $0.append("writable") }
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
        #expect(try await Self.written(channel, until: "0\r\n\r\n") == "0\r\n\r\n")
        #expect(order.withLock { $0 } == ["writable", "taken"])
    }

    /// One writes, and one waits for something to write.
    @Test(arguments: [true, false]) func aBodyEndsWhenTheClientLeaves(writes: Bool) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let channel = try await Self.connection(
            Self.stream { write in
                defer { end.yield() }
                try await write(ByteBuffer(string: "first"))
                while writes { try await write(ByteBuffer(string: "more")) }
                for await _ in AsyncStream(Void.self, { _ in }) {}
            }
        )
        try await Self.ask(channel)
        _ = try await Self.written(channel, until: "\r\nfirst\r\n")
        try await channel.close()
        for await _ in ends { break }
    }

    /// Tells of each read that a handler behind it asks for.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        private let onRead: () -> Void

        init(_ onRead: @escaping () -> Void) {
            self.onRead = onRead
        }

        func read(context: ChannelHandlerContext) {
            onRead()
            context.read()
        }
    }

    /// A client may send at most a little while it gets a body: the rest stays in its own memory.
    @Test func littleIsReadWhileABodyIsWritten() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let reads = Mutex(0)
        let channel = NIOAsyncTestingChannel()
        let reply = Self.stream { write in
            try await write(ByteBuffer(string: "first"))
            for await _ in ends { break }
        }
        try await channel.testingEventLoop.executeInContext {
            let handler = RequestHandler.answering(.answer(reply), try #require(Self.gate.admit(channel)))
            let counter = ReadCounter { reads.withLock { $0 += 1 } }
            try channel.pipeline.syncOperations.addHandlers(counter, handler)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        try await Self.ask(channel)
        _ = try await Self.written(channel, until: "\r\nfirst\r\n")
        let before = reads.withLock { $0 }
        try await channel.testingEventLoop.executeInContext { channel.read() }
        #expect(reads.withLock { $0 } == before + 1, "so it shows that the client leaves")
        try await Self.ask(channel, isWhole: false)
        for _ in 0..<2 {
            let piece = ByteBuffer(repeating: 0, count: 40_000)
            try await channel.writeInbound(HTTPServerRequestPart.body(piece))
        }
        try await channel.testingEventLoop.executeInContext { channel.read() }
        #expect(reads.withLock { $0 } == before + 1)
        // Another body is written then, and there is room again.
        end.yield()
        _ = try await eventually(within: 20, "it reads on") { reads.withLock { $0 } > before + 1 ? true : nil }
        try await channel.close()
    }

    @Test func aBodyThatFailsIsCutOff() async throws {
        struct Failure: Error {}
        let channel = try await Self.connection(
            Self.stream { write in
                try await write(ByteBuffer(string: "first"))
                throw Failure()
            }
        )
        try await Self.ask(channel)
        try await channel.closeFuture.get()
        #expect(try await Self.written(channel, until: "first\r\n").hasSuffix("\r\n\r\n5\r\nfirst\r\n"))
        #expect(try await channel.readOutbound(as: IOData.self) == nil)
    }

    @Test func whoFindsReadersBusyComesAgain() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        let channel = try await Self.connection(.reading(on: busy.readers) { .text("read") })
        // The connection stands: the second one is answered as well.
        for _ in 0..<2 {
            try await Self.ask(channel)
            await channel.testingEventLoop.run()
            let text = try await Self.written(channel, until: "\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("\r\nRetry-After: 1\r\n"), "\(text)")
        }
        #expect(channel.isActive)
    }

    /// RFC 9112 § 9.6: what has not come of a request by the time of its answer is not waited for.
    @Test(
        arguments: [true, false],
        [Reply.pending { .text("late") }, .asking { .reading { .text("late") } }, .asking { .answer(.text("late")) }]
    )
    func aLateAnswerWaitsForNoBody(isWhole: Bool, reply: Reply) async throws {
        let channel = try await Self.connection(reply)
        try await Self.ask(channel, isWhole: isWhole)
        let text = try await Self.written(channel, until: "\r\n\r\nlate")
        // Only one that is whole by then is followed by others.
        if !isWhole {
            #expect(text.contains("\r\nConnection: close\r\n"))
            try await channel.closeFuture.get()
        }
    }
}
