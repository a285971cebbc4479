import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

@Suite struct RequestHandlerTests {
    /// A connection of a server that has one place.
    private struct Connection {
        let channel = EmbeddedChannel()
        let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))

        init(_ verdict: Verdict = .answer(.answer(.text("whole")))) throws {
            let handler = RequestHandler.answering(verdict, try #require(gate.admit(channel)))
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// True if another connection would take its place.
        var givesWay: Bool { gate.admit(EmbeddedChannel()) != nil }

        func head(_ method: HTTPMethod = .GET, length: Int? = nil) throws {
            var fields: HTTPHeaders = ["Host": "x"]
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
