import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPServing

@Suite struct StreamHandlerTests {
    private static let timeouts = ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10))

    /// A stream, and the connection that it is of.
    private static func stream() throws -> (EmbeddedChannel, MultiplexHandler, ConnectionGate) {
        let gate = ConnectionGate(limits: .init(total: 10, perAddress: 10))
        let pass = try #require(gate.admit(EmbeddedChannel()))
        let connection = MultiplexHandler(pass: pass, idleTimeout: .seconds(60))
        let stream = EmbeddedChannel(handler: StreamHandler(connection: connection, timeouts: timeouts))
        try stream.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (stream, connection, gate)
    }

    private static func setWritable(_ stream: EmbeddedChannel, _ isWritable: Bool) {
        stream.isWritable = isWritable
        stream.pipeline.fireChannelWritabilityChanged()
    }

    /// A client whose window stays closed loses the stream, and costs no more than what was written to it.
    @Test func whoTakesNothingLosesTheStream() throws {
        let (stream, _, _) = try Self.stream()
        Self.setWritable(stream, false)
        stream.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(stream.isActive)
        stream.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!stream.isActive)
    }

    @Test func whoTakesSomethingNowAndThenKeepsIt() throws {
        let (stream, _, _) = try Self.stream()
        for _ in 0..<5 {
            Self.setWritable(stream, false)
            stream.embeddedEventLoop.advanceTime(by: .seconds(59))
            Self.setWritable(stream, true)
        }
        stream.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(stream.isActive)
        _ = try stream.finish()
    }

    /// RFC 9113 § 8.1.
    @Test func anAnswerBeforeTheRequestIsOverEndsItWithoutAnError() throws {
        let (stream, _, _) = try Self.stream()
        stream.close(mode: .output, promise: nil)
        guard case .rstStream(.noError)? = try stream.readOutbound(as: HTTP2Frame.FramePayload.self) else {
            Issue.record("there is no RST_STREAM with NO_ERROR")
            return
        }
        _ = try stream.finish()
    }

    private static func head(isWhole: Bool) -> HTTP2Frame.FramePayload {
        .headers(.init(headers: [":method": "POST", ":path": "/", ":scheme": "https"], endStream: isWhole))
    }

    private static func written(_ stream: EmbeddedChannel) throws -> [String] {
        var words: [String] = []
        while let payload = try stream.readOutbound(as: HTTP2Frame.FramePayload.self) {
            switch payload {
            case .headers(let headers): words.append(headers.headers.first(name: ":status") ?? "")
            case .rstStream(let code): words.append("reset \(code == .noError)")
            default: words.append("other")
            }
        }
        return words
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() throws {
        let (stream, _, gate) = try Self.stream()
        try stream.writeInbound(Self.head(isWhole: false))
        stream.embeddedEventLoop.advanceTime(by: .seconds(9))
        try stream.writeInbound(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(string: "{")))))
        #expect(try Self.written(stream) == [])
        stream.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(try Self.written(stream) == ["408", "reset true"])
        #expect(gate.totals.open == 1)
        _ = try stream.finish()
    }

    @Test func aWholeRequestHasAllTheTime() throws {
        let (stream, _, _) = try Self.stream()
        try stream.writeInbound(Self.head(isWhole: false))
        let rest = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(string: "{}")), endStream: true))
        try stream.writeInbound(rest)
        stream.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(try Self.written(stream) == [])
        try stream.writeOutbound(HTTP2Frame.FramePayload.headers(.init(headers: [":status": "200"], endStream: true)))
        #expect(try Self.written(stream) == ["200"])
        _ = try stream.finish()
    }

    /// A body that the answer does not depend on is not waited for.
    @Test func anAnswerEndsARequestThatIsNotWhole() throws {
        let (stream, _, _) = try Self.stream()
        try stream.writeInbound(Self.head(isWhole: false))
        try stream.writeOutbound(HTTP2Frame.FramePayload.headers(.init(headers: [":status": "401"], endStream: true)))
        #expect(try Self.written(stream) == ["401", "reset true"])
        stream.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(try Self.written(stream) == [])
        _ = try stream.finish()
    }
}
