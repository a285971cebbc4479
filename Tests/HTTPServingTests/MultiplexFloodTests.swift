import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import HTTPServing

/// Clients of HTTP/2 that cost more than they should; see ``MultiplexHandlerTests`` for the codes of errors.
@Suite struct MultiplexFloodTests {
    private static let megabyte = Answer.ok([:], ByteBuffer(repeating: 7, count: 1 << 20))

    /// CVE-2023-44487.
    @Test func whoTakesRequestsBackIsSentAway() throws {
        let connection = try MultiplexedConnection(window: 0)
        var asked = 0
        while connection.server.isActive, asked < 2_000 {
            let id = HTTP2StreamID(2 * asked + 1)
            try connection.request(on: id)
            if connection.server.isActive { try connection.send(.rstStream(.cancel), on: id) }
            asked += 1
        }
        #expect(asked == MultiplexLimits.resets + 1)
        #expect(connection.received().last == "goaway 0 11")
    }

    /// Each costs a RST_STREAM.
    @Test func whoSendsMalformedRequestsIsSentAway() throws {
        let connection = try MultiplexedConnection(validates: false)
        var asked = 0
        while connection.server.isActive, asked < 2_000 {
            try connection.request(on: HTTP2StreamID(2 * asked + 1), fields: [("connection", "close")])
            asked += 1
        }
        #expect(asked == MultiplexLimits.refusals + 1)
        let frames = connection.received()
        let resets = (0..<MultiplexLimits.refusals).map { "\(2 * $0 + 1) reset 1" }
        #expect(frames == resets + ["goaway 0 11"])
    }

    /// Their bodies are shared, so that a hundred cost what their heads do; and none stays for longer than one may.
    @Test func whoTakesNothingLosesItsStreams() throws {
        let connection = try MultiplexedConnection(.answer(.answer(Self.megabyte)), window: 0)
        for number in 0..<MultiplexLimits.streams { try connection.request(on: HTTP2StreamID(2 * number + 1)) }
        #expect(connection.received().allSatisfy { $0.hasSuffix(" 200") })
        #expect(!connection.givesWay)
        try connection.pass(59)
        #expect(connection.received() == [])
        try connection.pass(2)
        let resets = (0..<MultiplexLimits.streams).map { "\(2 * $0 + 1) reset 8" }
        #expect(Set(connection.received()) == Set(resets))
        #expect(connection.server.isActive && connection.givesWay)
    }

    /// The time is that for the whole answer.
    @Test func whoTakesOneByteNowAndThenLosesTheStream() throws {
        let connection = try MultiplexedConnection(.answer(.answer(Self.megabyte)), window: 1)
        try connection.request(on: 1)
        #expect(connection.received() == ["1 200", "1 1 bytes"])
        for _ in 0..<59 {
            try connection.pass(1)
            try connection.send(.windowUpdate(windowSizeIncrement: 1), on: 1)
        }
        #expect(connection.received() == [String](repeating: "1 1 bytes", count: 59))
        try connection.pass(2)
        #expect(connection.received() == ["1 reset 8"])
    }

    @Test func whoTakesOneByteAgainAndAgainIsSentAway() throws {
        let connection = try MultiplexedConnection(.answer(.answer(Self.megabyte)), window: 1)
        try connection.request(on: 1)
        var updates = 0
        while connection.server.isActive, updates < 10_000 {
            try connection.send(.windowUpdate(windowSizeIncrement: 1), on: 1)
            updates += 1
        }
        #expect(updates < 2 * MultiplexLimits.frames)
        #expect(connection.received().last == "goaway 1 11")
    }

    /// A socket that takes nothing, below what copies all that is flushed.
    private final class FullSocket: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        private let channel: EmbeddedChannel
        /// Bytes that were flushed since it took some.
        private(set) var bytes = 0
        private var unflushed = 0

        init(_ channel: EmbeddedChannel) {
            self.channel = channel
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            unflushed += unwrapOutboundIn(data).readableBytes
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            bytes += unflushed
            unflushed = 0
            context.flush()
            guard bytes > 65_536, channel.isWritable else { return }
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
        }

        func takeAll() {
            bytes = 0
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
    }

    /// The windows of the client are as large as they can be.
    @Test func whoReadsNothingHasLittleCopied() throws {
        let connection = try MultiplexedConnection(.answer(.answer(Self.megabyte)), window: Int(Int32.max))
        try connection.send(.windowUpdate(windowSizeIncrement: 1 << 30), on: .rootStream)
        let socket = FullSocket(connection.server)
        try connection.server.pipeline.syncOperations.addHandler(socket, position: .first)
        for number in 0..<20 { try connection.request(on: HTTP2StreamID(2 * number + 1)) }
        let most = MultiplexLimits.unflushedBytes + 65_536
        #expect((65_537..<most).contains(socket.bytes))
        var passes = 0
        while !connection.server.isWritable, passes < 1_000 {
            socket.takeAll()
            #expect(socket.bytes < most)
            try connection.exchange()
            passes += 1
        }
        #expect(passes > 60 && connection.server.isWritable)
        #expect(connection.received().filter { $0.hasSuffix(" end") }.count == 20)
    }

    /// A body that no answer depends on is taken as far as the first window goes, and holds nothing else up.
    @Test func aBodyForEverIsNotTaken() throws {
        let waiting = Waiting { _, _ in
            {}
        } reply: {
            .answer(.text("refused"))
        }
        let connection = try MultiplexedConnection(.answer(.waiting(waiting)))
        try connection.request("POST", on: 1, isWhole: false)
        try connection.body(ByteBuffer(repeating: 7, count: 1 << 20), on: 1)
        let frames = connection.received()
        #expect(!frames.contains { $0.hasPrefix("1 ") })
        #expect(frames.contains { $0.hasPrefix("0 window ") })
        try connection.request("POST", on: 3, isWhole: false)
        try connection.body(ByteBuffer(repeating: 7, count: 1 << 20), on: 3)
        #expect(!connection.received().contains { $0.hasPrefix("3 ") })
        #expect(connection.server.isActive && connection.givesWay)
    }

    @Test func framesThatAskForNothingEndTheConnection() throws {
        let connection = try MultiplexedConnection()
        for _ in 0...MultiplexLimits.frames where connection.server.isActive {
            try connection.send(.windowUpdate(windowSizeIncrement: 1), on: .rootStream)
        }
        #expect(!connection.server.isActive)
        #expect(connection.received().last == "goaway 0 11")
    }
}
