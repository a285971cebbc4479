import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

/// Requests that are answered in front of the parser, and those that have to go through it.
@Suite struct PreparedAnswerTests {
    /// A connection of a server that has one place, with all that reads its bytes.
    private struct Connection {
        let channel = EmbeddedChannel()
        let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))
        let handler: RequestHandler

        init(_ verdict: Verdict = .answer(.answer(.text("parsed"))), body: String = "prepared") throws {
            let prepared = PreparedAnswer(
                PreparedAnswer.Head(.text(body)),
                more: PreparedAnswer.Head(["Health": "99"]),
                body: ByteBuffer(string: body),
                time: .zero
            )
            let responder = FixedResponder(verdict, prepared: prepared)
            handler = .answering(responder, try #require(gate.admit(channel)))
            let bytes = ConnectionHandler(
                timeouts: ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10))
            )
            bytes.requests = handler
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(bytes)
            try pipeline.addRequestDecoder(maximumHeadBytes: 16_384)
            try pipeline.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func read(_ text: String) throws { try read(text.utf8) }

        func read(_ bytes: some Sequence<UInt8>) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

        /// Returns the bodies of the answers since the last call, which are words.
        func answers() throws -> [String] {
            var text = ""
            while let data = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
            }
            return text.split(separator: "HTTP/1.1 ").compactMap {
                $0.split(separator: "\r\n\r\n").last.map(String.init)
            }
        }
    }

    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let unusual = "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-\r\n\r\n"

    @Test func aPlainRequestIsAnsweredInFrontOfTheParser() throws {
        let connection = try Connection()
        try connection.read(Self.get)
        let answer = try connection.channel.readOutbound(as: IOData.self)
        guard case .byteBuffer(let bytes)? = answer else {
            Issue.record("it is answered")
            return
        }
        #expect(
            String(buffer: bytes)
                == "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nHealth: 99\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                + "Server: packager\r\n\r\nprepared"
        )
        #expect(connection.gate.admit(EmbeddedChannel()) != nil, "it is idle, and gives way")
    }

    @Test func whatIsUnusualSplitOrSentTogetherIsParsed() throws {
        let connection = try Connection()
        try connection.read(Self.unusual)
        #expect(try connection.answers() == ["parsed"])
        for end in 1..<Self.get.utf8.count {
            try connection.read(Self.get.utf8.prefix(end))
            #expect(try connection.answers() == [])
            try connection.read(Self.get.utf8.dropFirst(end))
            #expect(try connection.answers() == ["parsed"])
        }
        try connection.read(Self.get + Self.get)
        #expect(try connection.answers() == ["parsed", "parsed"])
        try connection.read(Self.get + "GET / HTT")
        #expect(try connection.answers() == ["parsed"])
        try connection.read(Self.get.utf8.dropFirst(9))
        #expect(try connection.answers() == ["parsed"])
        try connection.read(Self.get)
        #expect(try connection.answers() == ["prepared"])
    }

    /// The second half of a body looks like a request.
    @Test func aBodyIsNoRequest() throws {
        let connection = try Connection(
            .body(limit: 100) { .answer(.text($0.map { "\($0.readableBytes)" } ?? "too long")) }
        )
        try connection.read("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.get.utf8.count * 2)\r\n\r\n")
        for _ in 0..<2 {
            #expect(try connection.answers() == [])
            try connection.read(Self.get)
        }
        #expect(try connection.answers() == ["\(Self.get.utf8.count * 2)"])
        try connection.read(Self.get)
        #expect(try connection.answers() == ["prepared"])
    }

    @Test func answersKeepTheOrderOfTheRequests() throws {
        let waiting = Waiting { _, _ in
            {}
        } reply: {
            .answer(.text("refused"))
        }
        let connection = try Connection(.answer(.waiting(waiting)))
        try connection.read(Self.unusual)
        try connection.read(Self.get)
        #expect(try connection.answers() == [])
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try connection.answers() == ["refused"])
    }

    @Test func aClientThatTakesNothingGetsNoMore() throws {
        let connection = try Connection()
        connection.channel.isWritable = false
        connection.channel.pipeline.fireChannelWritabilityChanged()
        try connection.read(Self.get)
        #expect(try connection.answers() == [])
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.answers() == ["parsed"])
        try connection.read(Self.get)
        #expect(try connection.answers() == ["prepared"])
    }

    /// A client that stalls again and again for a moment keeps its connection; one that stalls for good does not.
    @Test func aClientThatTakesNothingForLongLosesItsConnection() throws {
        let connection = try Connection()
        let loop = connection.channel.embeddedEventLoop
        func set(isWritable: Bool) {
            connection.channel.isWritable = isWritable
            connection.channel.pipeline.fireChannelWritabilityChanged()
        }
        set(isWritable: false)
        loop.advanceTime(by: .seconds(50))
        set(isWritable: true)
        set(isWritable: false)
        loop.advanceTime(by: .seconds(59))
        #expect(connection.channel.isActive)
        loop.advanceTime(by: .seconds(2))
        #expect(!connection.channel.isActive)
    }

    @Test func aLongBodyIsNotCopiedBehindTheHead() throws {
        let connection = try Connection(body: String(repeating: "x", count: 100_000))
        try connection.read(Self.get)
        var sizes: [Int] = []
        while let data = try connection.channel.readOutbound(as: IOData.self) { sizes.append(data.readableBytes) }
        #expect(sizes.count == 2 && sizes.last == 100_000)
    }

    @Test func aHeadThatIsLongerThanAllowedIsParsed() throws {
        let connection = try Connection()
        let field = "X: \(String(repeating: "y", count: 16_384))\r\n"
        try connection.read("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
        #expect(try connection.channel.readOutbound(as: IOData.self) != nil)
        #expect(!connection.handler.isBetweenAnswers, "it is refused, and the last one")
    }
}
