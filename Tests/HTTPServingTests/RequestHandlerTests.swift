import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import HTTPServing

@Suite struct RequestHandlerTests {
    /// A connection of a server that has one place.
    private struct Connection {
        let channel = EmbeddedChannel()
        let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))

        init(
            _ verdict: Verdict = .answer(.answer(.text("whole"))),
            isSecure: Bool = false,
            idle: Duration = .seconds(75),
            behind handlers: [any ChannelHandler & Sendable] = []
        ) throws {
            for handler in handlers { try channel.pipeline.addHandler(handler).wait() }
            let handler = RequestHandler.answering(
                FixedResponder(verdict),
                try #require(gate.admit(channel)),
                isSecure: isSecure,
                idle: idle
            )
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// True if another connection would take its place.
        var givesWay: Bool { gate.admit(EmbeddedChannel()) != nil }

        func head(_ method: HTTPMethod = .GET, length: Int? = nil, expects: Bool = false) throws {
            var fields: HTTPHeaders = ["Host": "x"]
            if expects { fields.add(name: "Expect", value: "100-Continue") }
            if let length { fields.add(name: "Content-Length", value: "\(length)") }
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: fields)
            try channel.writeInbound(HTTPServerRequestPart.head(head))
        }

        func body(_ text: String) throws {
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: text)))
        }

        func end() throws { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }

        func request() throws {
            try head()
            try end()
        }

        func setWritable(_ isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
            channel.embeddedEventLoop.run()
        }

        /// Returns the bytes of output since the last call.
        func byteCount() throws -> Int {
            var count = 0
            while let data = try channel.readOutbound(as: IOData.self) { count += data.readableBytes }
            return count
        }

        /// Returns the output since the last call.
        func written() throws -> String {
            var text = ""
            while let data = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
            }
            return text
        }

        func answers() throws -> Int { try written().ranges(of: "HTTP/1.1 ").count }
    }

    /// A client that takes nothing more once something was flushed, until a test says so.
    private final class SlowClient: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = IOData

        private let unsent = Mutex(0)

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            unsent.withLock { $0 += unwrapOutboundIn(data).readableBytes }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            context.flush()
            let count = unsent.withLock { unsent in
                defer { unsent = 0 }
                return unsent
            }
            if count > 0 { (context.channel as? EmbeddedChannel)?.isWritable = false }
        }
    }

    /// Encryption copies whatever is written, and a segment of high definition has many megabytes.
    @Test func aSlowClientHasNoCopyOfASegment() throws {
        let segment = Answer.ok([:], ByteBuffer(repeating: 1, count: 8 << 20), status: .ok)
        let connection = try Connection(.answer(.answer(segment)), isSecure: true, behind: [SlowClient()])
        try connection.request()
        try connection.request()
        #expect(!connection.givesWay)
        var (count, rounds) = (try connection.byteCount(), 0)
        #expect(count < 300_000)
        // Some end of the process, and of the time for idle connections, is no end of an answer that is taken.
        connection.channel.embeddedEventLoop.advanceTime(by: .minutes(60))
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        while connection.channel.isActive, rounds < 100 {
            connection.setWritable(true)
            let more = try connection.byteCount()
            #expect(more < 300_000)
            (count, rounds) = (count + more, rounds + 1)
        }
        #expect(rounds >= 31 && 8 << 20..<8 << 20 + 1_000 ~= count, "\(rounds) \(count)")
    }

    /// Without TLS all clients share the bytes.
    @Test func bytesThatAreSharedAreWrittenAtOnce() throws {
        let segment = Answer.ok([:], ByteBuffer(repeating: 1, count: 8 << 20), status: .ok)
        let connection = try Connection(.answer(.answer(segment)), behind: [SlowClient()])
        try connection.request()
        #expect(try connection.byteCount() >= 8 << 20)
    }

    /// A connection is not idle while a client takes a long answer, nor just after.
    @Test func aLongDownloadIsNotIdle() throws {
        let connection = try Connection(idle: .milliseconds(1))
        try connection.request()
        connection.setWritable(false)
        let taken = NIODeadline.now() + .milliseconds(2)
        while NIODeadline.now() < taken {}
        connection.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(connection.channel.isActive)
        connection.setWritable(true)
        #expect(connection.channel.isActive)
        #expect(try connection.answers() == 1)
    }

    /// Reading a chunk of one byte costs far more than a byte: 65,536 of them are as good as no limit.
    @Test func bodyInChunksOfOneByteEndsSoon() throws {
        let connection = try Connection()
        try connection.head(.POST)
        #expect(try connection.answers() == 1)
        var chunks = 0
        while connection.channel.isActive, chunks < 65_536 {
            try connection.body("x")
            chunks += 1
        }
        #expect(chunks == 2_049)
    }

    private static let count = Verdict.body(limit: 65_536) { body in
        .answer(.text(body.map { "\($0.readableBytes)" } ?? "too long"))
    }

    @Test func postedBodyInChunksOfOneByteIsTooLong() throws {
        let connection = try Connection(Self.count)
        try connection.head(.POST)
        for _ in 0..<2_048 { try connection.body("x") }
        #expect(try connection.answers() == 0, "so many are taken")
        try connection.body("x")
        #expect(try connection.written().hasSuffix("too long"))
    }

    @Test func postedBodyMayBeAsLongAsItsLimit() throws {
        let connection = try Connection(Self.count)
        try connection.head(.POST)
        for _ in 0..<63 { try connection.body(String(repeating: "x", count: 1_040)) }
        try connection.body(String(repeating: "x", count: 15))
        try connection.body("x")
        try connection.end()
        #expect(try connection.written().hasSuffix("65536"))
    }

    /// A client that takes nothing cannot have any number of requests kept.
    @Test func onlySoManyRequestsWaitAndTheConnectionEnds() throws {
        let connection = try Connection()
        try connection.request()
        #expect(try connection.answers() == 1)
        connection.setWritable(false)
        for _ in 1...2000 { try connection.request() }
        #expect(try connection.answers() == 0)
        connection.setWritable(true)
        #expect(try connection.answers() == RequestHandler.mostArrivals / 2)
        #expect(!connection.channel.isActive)
    }

    @Test func asManyAsMayWaitAreAnsweredAndTheConnectionStays() throws {
        let connection = try Connection()
        connection.setWritable(false)
        for _ in 1...RequestHandler.mostArrivals / 2 { try connection.request() }
        connection.setWritable(true)
        #expect(try connection.answers() == RequestHandler.mostArrivals / 2)
        try connection.request()
        #expect(try connection.answers() == 1)
        #expect(connection.channel.isActive)
        _ = try connection.channel.finish()
    }

    /// RFC 9110 § 10.1.1: older clients of .NET send nothing before that.
    @Test func aClientThatWaitsToSendItsBodyIsInvited() throws {
        let connection = try Connection(Self.echo)
        try connection.head(.POST, length: 3, expects: true)
        #expect(try connection.written() == "HTTP/1.1 100 Continue\r\n\r\n")
        try connection.body("abc")
        try connection.end()
        #expect(try connection.written().hasPrefix("HTTP/1.1 200 OK\r\n"))
        // Nobody is invited to send what no answer depends on.
        let other = try Connection()
        try other.head(.POST, length: 3, expects: true)
        #expect(try other.written().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    private static let echo = Verdict.body(limit: 4) { body in
        .answer(body.map { .text(String(buffer: $0)) } ?? .text("too long", .payloadTooLarge))
    }

    @Test func anAnswerMayDependOnABody() throws {
        let connection = try Connection(Self.echo)
        for _ in 0..<2 {
            try connection.head(.POST, length: 4)
            try connection.body("ab")
            #expect(try connection.written() == "")
            #expect(connection.givesWay)
            try connection.body("cd")
            try connection.end()
            #expect(try connection.written().hasSuffix("\r\n\r\nabcd"))
        }
        _ = try connection.channel.finish()
    }

    @Test func aBodyThatIsTooLongIsNotReadToItsEnd() throws {
        let connection = try Connection(Self.echo)
        try connection.head(.POST, length: 1000)
        try connection.body("abcde")
        let answer = try connection.written()
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.hasSuffix("\r\nConnection: close\r\n\r\ntoo long"))
        #expect(!connection.channel.isActive)
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() throws {
        let connection = try Connection(Self.echo)
        try connection.head(.POST, length: 4)
        for _ in 0..<9 { connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        #expect(try connection.written() == "")
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(try connection.written().hasPrefix("HTTP/1.1 408 "))
        #expect(!connection.channel.isActive)
    }

    @Test func aBodyThatArrivesIsNotCutOff() throws {
        let connection = try Connection(Self.echo)
        try connection.head(.POST, length: 1)
        try connection.body("a")
        try connection.end()
        #expect(try connection.written().hasSuffix("\r\n\r\na"))
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(connection.channel.isActive)
        _ = try connection.channel.finish()
    }
}
