import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import HTTPServing

/// Requests of HTTP/1.1 that wait.
@Suite struct WaitingRequestTests {
    /// Waits that end when they are told to.
    private final class Waits: Sendable {
        private let ends = Mutex<[@Sendable () -> Void]>([])
        private let stops = Mutex(0)
        private let loops = Mutex<[any EventLoop]>([])

        func verdict(hasRoom: Bool = true, then reply: Reply = .answer(.text("reply"))) -> Verdict {
            .answer(self.reply(hasRoom: hasRoom, then: reply))
        }

        func reply(hasRoom: Bool = true, then reply: Reply = .answer(.text("reply"))) -> Reply {
            .waiting(
                Waiting { eventLoop, isOver in
                    guard hasRoom else { return nil }
                    self.loops.withLock { $0.append(eventLoop) }
                    self.ends.withLock { $0.append(isOver) }
                    return { self.stops.withLock { $0 += 1 } }
                } reply: {
                    reply
                }
            )
        }

        var begun: Int { ends.withLock { $0.count } }
        var stopped: Int { stops.withLock { $0 } }
        var eventLoop: (any EventLoop)? { loops.withLock { $0.last } }

        /// Ends them all, and those that are over once more.
        func end() { for end in ends.withLock({ $0 }) { end() } }
    }

    /// A connection of a server that has a few places.
    private struct Connection {
        let channel = EmbeddedChannel()

        init(_ verdict: Verdict, _ gate: ConnectionGate) throws {
            let handler = RequestHandler.answering(verdict, try #require(gate.admit(channel)))
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func request() throws {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "x"])
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }

        /// Returns the output since the last call.
        func written() throws -> String {
            var text = ""
            while let data = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
            }
            return text
        }
    }

    private static func gate(_ count: Int = 1) -> ConnectionGate {
        ConnectionGate(limits: .init(total: count, perAddress: count))
    }

    @Test func aRequestIsAnsweredWhenItsWaitIsOver() throws {
        let waits = Waits()
        let connection = try Connection(waits.verdict(), Self.gate())
        for number in 1...2 {
            try connection.request()
            #expect(waits.begun == number)
            #expect(waits.eventLoop === connection.channel.eventLoop)
            connection.channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(try connection.written() == "")
            waits.end()
            #expect(try connection.written().hasSuffix("\r\n\r\nreply"))
            #expect(waits.stopped == number)
        }
    }

    /// Its answer is sent then, and the client's next request read.
    @Test func aWaitMayBeFollowedByOneWithoutRoom() throws {
        let (first, second) = (Waits(), Waits())
        let connection = try Connection(first.verdict(then: second.reply(hasRoom: false)), Self.gate())
        for number in 1...2 {
            try connection.request()
            #expect(first.begun == number)
            first.end()
            #expect(try connection.written().hasSuffix("\r\n\r\nreply"))
        }
    }

    /// Another channel may take the place of the one that a request waits for.
    @Test func aWaitMayBeFollowedByAnother() throws {
        let (first, second) = (Waits(), Waits())
        let connection = try Connection(first.verdict(then: second.reply()), Self.gate())
        try connection.request()
        first.end()
        #expect(first.stopped == 1 && second.begun == 1)
        #expect(try connection.written() == "")
        second.end()
        #expect(try connection.written().hasSuffix("\r\n\r\nreply"))
        #expect(first.stopped == 1 && second.stopped == 1)
    }

    @Test func withoutRoomARequestIsAnsweredAtOnce() throws {
        let connection = try Connection(Waits().verdict(hasRoom: false), Self.gate())
        try connection.request()
        #expect(try connection.written().hasSuffix("\r\n\r\nreply"))
    }

    /// The wait may be over at the same moment.
    @Test func aClientThatLeavesWaitsNoMore() throws {
        let waits = Waits()
        let connection = try Connection(waits.verdict(), Self.gate())
        try connection.request()
        try connection.channel.close().wait()
        connection.channel.embeddedEventLoop.run()
        #expect(waits.stopped == 1)
        waits.end()
        #expect(try connection.written() == "")
        #expect(waits.stopped == 1)
    }

    @Test func whoWaitsAtAShutdownGetsWhatThereIs() throws {
        let waits = Waits()
        let connection = try Connection(waits.verdict(), Self.gate())
        try connection.request()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        let answer = try connection.written()
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("reply"))
        waits.end()
        #expect(try connection.written() == "")
    }

    /// Silent connections take each other's places, and none of a request that waits.
    @Test func tenThousandWhoSayNothingCostNobodyItsWait() throws {
        let waits = Waits()
        let gate = Self.gate(10)
        let waiting = try (0..<5).map { _ in try Connection(waits.verdict(), gate) }
        for connection in waiting { try connection.request() }
        var silent: [EmbeddedChannel] = []
        for _ in 0..<10_000 {
            let channel = EmbeddedChannel()
            if gate.admit(channel) != nil { silent.append(channel) }
        }
        #expect(silent.count == 10_000)
        #expect(gate.totals.open == 10)
        #expect(waits.begun == 5 && waits.stopped == 0)
        waits.end()
        for connection in waiting { #expect(try connection.written().hasSuffix("reply")) }
        for channel in silent { _ = try channel.finish(acceptAlreadyClosed: true) }
    }
}
