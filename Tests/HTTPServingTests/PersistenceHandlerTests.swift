import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

@Suite struct PersistenceHandlerTests {
    /// A connection of a server that has one place.
    private struct Connection {
        let channel = EmbeddedChannel()
        let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))

        init() throws {
            let handler = PersistenceHandler(
                pass: try #require(gate.admit(channel)),
                bodyTimeout: .seconds(10),
                rejection: { _ in ([:], ByteBuffer(string: "words")) }
            )
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Whether another connection would take its place.
        var givesWay: Bool { gate.admit(EmbeddedChannel()) != nil }

        func head(_ method: HTTPMethod = .POST, length: Int? = nil) throws {
            var fields: HTTPHeaders = ["Host": "x"]
            if let length { fields.add(name: "Content-Length", value: "\(length)") }
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: fields)
            try channel.writeInbound(HTTPServerRequestPart.head(head))
        }

        func body() throws { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{"))) }

        func end() throws { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }

        func answer(_ status: HTTPResponseStatus, _ fields: HTTPHeaders = [:]) throws {
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }

        /// Status and Connection of the next answer.
        func answered() throws -> [String] {
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                if case .head(let head) = part {
                    return ["\(head.status.code)", head.headers.first(name: "connection") ?? ""]
                }
            }
            return []
        }

        /// How many heads got through.
        func heads() throws -> Int {
            var count = 0
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                if case .head = part { count += 1 }
            }
            return count
        }
    }

    @Test func aWholeRequestKeepsThePlace() throws {
        let connection = try Connection()
        try connection.head(.GET)
        try connection.end()
        #expect(!connection.givesWay)
        try connection.answer(.ok)
        #expect(try connection.answered() == ["200", ""])
        #expect(connection.givesWay)
    }

    @Test func oneThatDoesNotEndKeepsNone() throws {
        let connection = try Connection()
        try connection.head(length: 100)
        try connection.body()
        #expect(connection.givesWay)
    }

    @Test func oneThatDoesNotEndKeepsNoneBehindOneThatHas() throws {
        let connection = try Connection()
        try connection.head(.GET)
        try connection.end()
        try connection.head(length: 100)
        #expect(!connection.givesWay)
        try connection.answer(.ok)
        #expect(connection.givesWay)
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() throws {
        let connection = try Connection()
        try connection.head(length: 100)
        for _ in 0..<9 {
            try connection.body()
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        // Hummingbird answers an error in this way.
        #expect(throws: Never.self) { try connection.channel.throwIfErrorCaught() }
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(throws: HTTPParserError.self) { try connection.channel.throwIfErrorCaught() }
        try connection.answer(.badRequest, ["Content-Length": "0"])
        #expect(try connection.answered() == ["408", "close"])
    }

    @Test func aBodyThatArrivesIsNotCutOff() throws {
        let connection = try Connection()
        try connection.head(length: 1)
        try connection.body()
        try connection.end()
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(throws: Never.self) { try connection.channel.throwIfErrorCaught() }
        try connection.answer(.ok)
        #expect(try connection.answered() == ["200", ""])
    }

    /// RFC 9112 § 9.6.
    @Test func anAnswerBeforeTheRequestIsOverEndsTheConnection() throws {
        let connection = try Connection()
        try connection.head(length: 100)
        try connection.answer(.unauthorized)
        #expect(try connection.answered() == ["401", "close"])
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(throws: Never.self) { try connection.channel.throwIfErrorCaught() }
        #expect(try connection.heads() == 1)
    }

    @Test func onlySoManyRequestsWait() throws {
        let connection = try Connection()
        for _ in 0..<PersistenceHandler.mostPipelined + 10 {
            try connection.head(.GET)
            try connection.end()
        }
        #expect(try connection.heads() == PersistenceHandler.mostPipelined)
        for number in 1...PersistenceHandler.mostPipelined {
            try connection.answer(.ok)
            let isLast = number == PersistenceHandler.mostPipelined
            #expect(try connection.answered() == ["200", isLast ? "close" : ""])
        }
    }
}
