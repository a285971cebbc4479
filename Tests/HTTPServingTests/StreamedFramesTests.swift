import MediaCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

/// Answers over HTTP/2 that take their time, and bodies that are written while they are made.
@Suite(.timeLimit(.minutes(5))) struct StreamedFramesTests {
    private static let gate = ConnectionGate(limits: .init(total: 1000, perAddress: 1000))

    /// Keeps parts of bodies as a closed window does.
    private final class Window: ChannelOutboundHandler {
        typealias OutboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        var isOpen = true
        private var held: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if !isOpen, case .data = unwrapOutboundIn(data).payload, let promise {
                held.append(promise)
                context.write(data, promise: nil)
            } else {
                context.write(data, promise: promise)
            }
        }

        func open() {
            isOpen = true
            for promise in held { promise.succeed() }
        }
    }

    private static func connection(_ reply: Reply) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            let handler = MultiplexHandler(
                connection: ServedConnection(pass: try #require(gate.admit(channel)), isSecure: true),
                eventLoop: channel.eventLoop,
                timeouts: MultiplexedConnection.timeouts,
                maximumHeadBytes: 16_384,
                date: DateField(),
                now: { .zero }
            ) { FixedResponder(.answer(reply)) }
            try channel.pipeline.syncOperations.addHandlers(Window(), handler)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    private static func stream(_ stream: @escaping Answer.Stream) -> Reply {
        var answer = Answer(.ok, [:])
        answer.stream = stream
        return .answer(answer)
    }

    private static func ask(_ channel: NIOAsyncTestingChannel, on id: HTTP2StreamID = 1) async throws {
        let head: HPACKHeaders = [":method": "GET", ":path": "/", ":scheme": "https", ":authority": "x"]
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: true))
        try await channel.writeInbound(HTTP2Frame(streamID: id, payload: payload))
    }

    private static func change(
        _ channel: NIOAsyncTestingChannel,
        _ change: @escaping @Sendable (Window) -> Void
    ) async throws {
        try await channel.testingEventLoop.executeInContext {
            change(try channel.pipeline.syncOperations.handler(type: Window.self))
        }
    }

    /// The next frame, in words.
    private static func written(_ channel: NIOAsyncTestingChannel) async throws -> String {
        switch try await channel.waitForOutboundWrite(as: HTTP2Frame.self).payload {
        case .headers(let headers):
            let hasLength = headers.headers.contains(name: "transfer-encoding")
            return "\(headers.headers.first(name: ":status") ?? "") \(hasLength) \(headers.endStream)"
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return "" }
            return "\(String(buffer: bytes)) \(data.endStream)"
        case .rstStream(let code): return "reset \(code.networkCode)"
        default: return "other"
        }
    }

    @Test func aBodyComesInParts() async throws {
        let channel = try await Self.connection(
            Self.stream { write in
                try await write(ByteBuffer(string: "first"))
                try await write(ByteBuffer())
                try await write(ByteBuffer(string: "second"))
            }
        )
        try await Self.ask(channel)
        var frames: [String] = []
        while frames.last?.hasSuffix("true") != true { frames.append(try await Self.written(channel)) }
        #expect(frames == ["200 false false", "first false", "second false", " true"])
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
        #expect(try await Self.written(channel) == "200 false false")
        try await Self.change(channel) { $0.isOpen = false }
        begin.yield()
        #expect(try await Self.written(channel) == "first false")
        try await Self.change(channel) { window in
            order.withLock { $0.append("open") }
            window.open()
        }
        #expect(try await Self.written(channel) == " true")
        #expect(order.withLock { $0 } == ["open", "taken"])
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
        _ = try await Self.written(channel)
        try await channel.testingEventLoop.executeInContext {
            let left = StreamClosedEvent(streamID: 1, reason: .cancel)
            channel.pipeline.fireUserInboundEventTriggered(left)
        }
        for await _ in ends { break }
        #expect(channel.isActive)
    }

    @Test func aBodyEndsWithTheConnection() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let channel = try await Self.connection(
            Self.stream { _ in
                defer { end.yield() }
                for await _ in AsyncStream(Void.self, { _ in }) {}
            }
        )
        try await Self.ask(channel)
        try await channel.close()
        for await _ in ends { break }
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
        var frames: [String] = []
        for _ in 0..<3 { frames.append(try await Self.written(channel)) }
        #expect(frames == ["200 false false", "first false", "reset 8"])
        #expect(channel.isActive)
    }

    @Test(arguments: [
        Reply.pending { .text("late") }, .work { .text("late") }, .reading { .text("late") },
        .asking { .reading { .text("late") } }, .asking { .answer(.text("late")) },
    ])
    func anAnswerMayTakeItsTime(reply: Reply) async throws {
        let channel = try await Self.connection(reply)
        for id in [1, 3] as [HTTP2StreamID] {
            try await Self.ask(channel, on: id)
            #expect(try await Self.written(channel) == "200 false false")
            #expect(try await Self.written(channel) == "late true")
        }
    }

    @Test func whoFindsReadersBusyComesAgain() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        let channel = try await Self.connection(.reading(on: busy.readers) { .text("read") })
        for id in [1, 3] as [HTTP2StreamID] {
            try await Self.ask(channel, on: id)
            await channel.testingEventLoop.run()
            #expect(try await Self.written(channel) == "503 false true")
        }
        #expect(channel.isActive)
    }

    /// Of a hundred answers on a disk, no more are read than may be held for a client that takes none.
    @Test func whoTakesNothingHasLittleRead() async throws {
        let read = Mutex(0)
        let channel = try await Self.connection(
            .reading {
                read.withLock { $0 += 1 }
                return .text("read")
            }
        )
        for number in 0..<MultiplexLimits.streams { try await Self.ask(channel, on: HTTP2StreamID(2 * number + 1)) }
        for _ in 0..<2 * MultiplexLimits.turns { _ = try await Self.written(channel) }
        #expect(read.withLock { $0 } == MultiplexLimits.turns)
        // Who has taken one gets the next.
        for number in 0..<MultiplexLimits.streams {
            try await channel.testingEventLoop.executeInContext {
                let taken = StreamClosedEvent(streamID: HTTP2StreamID(2 * number + 1), reason: nil)
                channel.pipeline.fireUserInboundEventTriggered(taken)
            }
            guard number < MultiplexLimits.streams - MultiplexLimits.turns else { continue }
            for _ in 0..<2 { _ = try await Self.written(channel) }
            #expect(read.withLock { $0 } == number + 1 + MultiplexLimits.turns)
        }
    }
}
