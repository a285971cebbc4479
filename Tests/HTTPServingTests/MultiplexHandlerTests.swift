import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Synchronization
import Testing

@testable import HTTPServing

/// Frames that a client of HTTP/2 gets.
///
/// Codes of errors are those of RFC 9113 § 7: 0 is none, 1 PROTOCOL_ERROR, 8 CANCEL, 11 ENHANCE_YOUR_CALM.
@Suite struct MultiplexHandlerTests {
    /// A wait that ends when it is told to.
    private final class Wait: Sendable {
        private let ends = Mutex<[@Sendable () -> Void]>([])
        let stopped = Mutex(0)
        var begun: Int { ends.withLock { $0.count } }

        var verdict: Verdict {
            .answer(
                .waiting(
                    Waiting { _, isOver in
                        self.ends.withLock { $0.append(isOver) }
                        return { self.stopped.withLock { $0 += 1 } }
                    } reply: {
                        .answer(.text("refused", .notFound))
                    }
                )
            )
        }

        func isOver() { for end in ends.withLock({ $0 }) { end() } }
    }

    private static let echo = Verdict.body(limit: 200_000) { body in
        .answer(body.map { .text("\($0.readableBytes)") } ?? .text("too long", .payloadTooLarge))
    }

    // MARK: Answers

    @Test func anAnswerHasItsFieldsInTheirOrderAndItsBody() throws {
        let fields: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "\"1\""]
        let connection = try MultiplexedConnection(.answer(.answer(.ok(fields, ByteBuffer(string: "whole")))))
        try connection.request(on: 1)
        #expect(connection.received() == ["1 200", "1 5 bytes end"])
        #expect(connection.bodies[1] == ByteBuffer(string: "whole"))
        try connection.request(on: 3)
        let names = try #require(connection.fields()).map { "\($0.name): \($0.value)" }
        #expect(
            names == [
                ":status: 200", "content-type: text/plain", "etag: \"1\"", "content-length: 5",
                "date: Thu, 01 Jan 1970 00:00:00 GMT", "server: packager",
            ]
        )
        #expect(connection.server.isActive)
    }

    /// RFC 7541 § 4.2: the client says how much is remembered.
    @Test func fieldsThatMayHaveAnyValueAreNotRemembered() {
        let fields: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "\"1\"", "Content-Range": "bytes 0-1/2"]
        let head = HPACKHeaders(.ok(fields, ByteBuffer()), date: "today")
        let remembered = head.filter { $0.indexable == .indexable }
        #expect(remembered.map { $0.name } == [":status", "content-type", "server"])
    }

    /// As long as it takes 1 MiB of it in each minute.
    @Test(arguments: [false, true]) func aSlowClientGetsALongAnswer(isTooSlow: Bool) throws {
        let body = ByteBuffer(repeating: 1, count: 4 << 20)
        let connection = try MultiplexedConnection(.answer(.answer(.ok([:], body))), window: 0)
        try connection.request(on: 1)
        var last: String?
        for round in 0..<4 where last != "1 reset 8" {
            let count = isTooSlow && round == 1 ? (1 << 20) - 1 : 1 << 20
            for id in [.rootStream, 1] as [HTTP2StreamID] {
                try connection.send(.windowUpdate(windowSizeIncrement: count), on: id)
            }
            try connection.pass(50)
            last = connection.received().last
        }
        #expect(isTooSlow ? last == "1 reset 8" : last?.hasSuffix("end") == true)
        #expect(connection.bodies[1]?.readableBytes ?? 0 == (isTooSlow ? (2 << 20) - 1 : 4 << 20))
    }

    /// RFC 9110 § 10.1.1.
    @Test func aClientThatWaitsToSendItsBodyIsInvited() throws {
        let connection = try MultiplexedConnection(Self.echo)
        let fields = [(":authority", "x"), ("expect", "100-continue")]
        try connection.request("POST", on: 1, fields: fields, isWhole: false)
        #expect(connection.received() == ["1 100"])
        try connection.body(ByteBuffer(string: "four"), on: 1, isLast: true)
        #expect(connection.received() == ["1 200", "1 1 bytes end"])
    }

    /// HEAD has the fields of GET.
    @Test func aHeadWithoutABodyEndsTheStream() throws {
        let answer = Answer.ok([:], ByteBuffer(), byteCount: 5, status: .ok)
        let connection = try MultiplexedConnection(.answer(.answer(answer)))
        try connection.request("HEAD", on: 1)
        #expect(connection.received() == ["1 200 end"])
    }

    @Test func oneHostIsWanted() throws {
        let connection = try MultiplexedConnection()
        let hosts: [([(String, String)], String)] = [
            ([], "400"), ([("host", "x")], "200"), ([(":authority", "x"), ("host", "x")], "200"),
            ([("host", "x"), ("host", "y")], "400"),
        ]
        for (number, (fields, status)) in hosts.enumerated() {
            try connection.request(on: HTTP2StreamID(2 * number + 1), fields: fields)
            #expect(connection.received().first?.contains(" \(status)") == true, "\(fields)")
        }
    }

    @Test func aRequestIsReadAsHTTP1WouldBe() throws {
        let head: HPACKHeaders = [
            ":method": "GET", ":scheme": "https", ":path": "/a?b", ":authority": "x:1", "accept": "*/*",
        ]
        let request = try #require(Request(head, client: 7, isSecure: true))
        #expect(request.method == .GET && request.target == "/a?b" && request["Host"] == "x:1")
        #expect(request["Accept"] == "*/*" && request.fields.count == 2 && request.client == 7 && request.isSecure)
        let absolute: HPACKHeaders = [":method": "GET", ":path": "http://y/c", ":authority": "x", "host": "x"]
        let other = try #require(Request(absolute, client: 0, isSecure: true))
        #expect(other.target == "/c" && other.fields[canonicalForm: "Host"] == ["y"])
        #expect(Request([":method": "CONNECT", ":authority": "x"], client: 0, isSecure: true) == nil)
    }

    @Test func aRequestThatWaitedIsAnsweredWithWhatThereIs() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict)
        try connection.request(on: 1)
        try connection.pass(600)
        #expect(connection.received() == [])
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["1 404", "1 7 bytes end"])
        try connection.request(on: 3)
        try connection.pass(3601)
        #expect(connection.received() == [])
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["3 404", "3 7 bytes end"])
        // A client that takes its request back waits no more.
        try connection.request(on: 5)
        try connection.send(.rstStream(.cancel), on: 5)
        #expect(wait.stopped.withLock { $0 } == 3)
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == [])
    }

    /// A proxy sends the requests of many viewers on one connection.
    @Test func aMalformedRequestEndsNoOther() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict, validates: false)
        try connection.request(on: 1)
        try connection.request(on: 3, fields: [(":authority", "x"), ("connection", "close")])
        #expect(connection.received() == ["3 reset 1"])
        try connection.request(on: 5, fields: [(":authority", "x"), ("content-length", "5")])
        #expect(connection.received() == ["5 reset 1"])
        try connection.request("POST", on: 7, fields: [(":authority", "x"), ("content-length", "1")], isWhole: false)
        try connection.body(ByteBuffer(string: "ab"), on: 7)
        #expect(connection.received() == ["7 reset 1"])
        #expect(wait.stopped.withLock { $0 } == 1)
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["1 404", "1 7 bytes end"])
        #expect(connection.server.isActive && connection.givesWay)
    }

    /// A proxy sends the requests of many viewers on one connection, and some of them have many cookies.
    @Test func aHeadThatIsTooLargeEndsNoOther() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict, prepared: .text("prepared"))
        let authority = [(":authority", "x")]
        try connection.request(on: 1, fields: authority + [("cookie", "a"), ("range", "bytes=0-")])
        try connection.request(on: 3, fields: authority + [("cookie", String(repeating: "a", count: 17_000))])
        #expect(connection.received() == ["3 431 end"])
        let few = (0..<10).map { ("x-\($0)", String(repeating: "a", count: 2_000)) }
        try connection.request(on: 5, fields: authority + few)
        #expect(connection.received() == ["5 431 end"])
        try connection.request(on: 7, fields: authority + Array(repeating: ("x", "1"), count: 260))
        #expect(connection.received() == ["7 431 end"])
        try connection.request(on: 9, fields: authority + Array(repeating: ("x", "1"), count: 250))
        #expect(connection.received() == [])
        #expect(wait.begun == 2)
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["1 404", "1 7 bytes end", "9 404", "9 7 bytes end"])
    }

    @Test(arguments: [("x-sum", "1\r\n"), (":path", "/b"), ("X-Sum", "1"), ("connection", "close")])
    func malformedTrailersEndTheirRequestAlone(name: String, value: String) throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict, validates: false)
        try connection.request(on: 1)
        try connection.request("POST", on: 3, isWhole: false)
        try connection.send(.headers(.init(headers: [name: value], endStream: true)), on: 3)
        #expect(connection.received() == ["3 reset 1"])
        #expect(wait.stopped.withLock { $0 } == 1)
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["1 404", "1 7 bytes end"])
    }

    /// Over TLS, a connection is closed once the client has got the end.
    private final class LateClose: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        var isOver = false
        private(set) var isAsked = false

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            isAsked = true
            if isOver { context.close(mode: mode, promise: promise) }
        }
    }

    @Test func aClientThatHasLostTheConnectionBeginsNothing() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict, validates: false)
        let close = LateClose()
        try connection.server.pipeline.syncOperations.addHandler(close, position: .first)
        try connection.request("POST", on: 1, isWhole: false)
        for number in 1...(MultiplexLimits.refusals + 1) {
            try connection.request(on: HTTP2StreamID(2 * number + 1), fields: [("connection", "close")])
        }
        #expect(connection.received().last == "goaway 1 11")
        #expect(close.isAsked && connection.server.isActive && connection.givesWay)
        #expect(wait.begun == 1 && wait.stopped.withLock { $0 } == 1)
        // These would be the trailers of a request that goes on.
        try connection.request(on: 1)
        #expect(wait.begun == 1 && connection.givesWay)
        close.isOver = true
    }

    /// A proxy that reads one of them would look at another host than the packager.
    @Test func aHostThatIsNotTheAuthorityIsRefused() throws {
        let connection = try MultiplexedConnection()
        try connection.request(on: 1, fields: [(":authority", "x"), ("host", "y")])
        #expect(connection.received() == ["1 400 end"])
        for (id, host) in [(3, "X:1"), (5, "x:1")] {
            try connection.request(on: HTTP2StreamID(id), fields: [(":authority", "x:1"), ("host", host)])
            #expect(connection.received() == ["\(id) 200", "\(id) 5 bytes end"])
        }
        try connection.request(on: 7, fields: [(":authority", "x"), ("host", "x:443")])
        #expect(connection.received() == ["7 200", "7 5 bytes end"])
    }

    // MARK: Bodies

    /// The window of the stream and that of the connection are smaller than the body.
    @Test func anAnswerMayDependOnALongBody() throws {
        let connection = try MultiplexedConnection(Self.echo)
        try connection.request("POST", on: 1, isWhole: false)
        try connection.body(ByteBuffer(repeating: 7, count: 199_999), on: 1)
        #expect(!connection.received().contains { $0.hasPrefix("1 200") })
        try connection.body(ByteBuffer(repeating: 7, count: 1), on: 1, isLast: true)
        #expect(connection.received().suffix(2) == ["1 200", "1 6 bytes end"])
        #expect(connection.bodies[1] == ByteBuffer(string: "200000"))
    }

    @Test func trailersEndABody() throws {
        let connection = try MultiplexedConnection(Self.echo)
        try connection.request("POST", on: 1, isWhole: false)
        try connection.body(ByteBuffer(string: "ab"), on: 1)
        try connection.send(.headers(.init(headers: ["x-sum": "1"], endStream: true)), on: 1)
        #expect(connection.received() == ["1 200", "1 1 bytes end"])
    }

    @Test func aBodyThatIsTooLongIsNotReadToItsEnd() throws {
        let connection = try MultiplexedConnection(Self.echo)
        try connection.request("POST", on: 1, isWhole: false)
        try connection.body(ByteBuffer(repeating: 7, count: 200_001), on: 1)
        #expect(connection.received().suffix(3) == ["1 413", "1 8 bytes end", "1 reset 0"])
        try connection.request("POST", on: 3)
        #expect(connection.received() == ["3 200", "3 1 bytes end"])
    }

    @Test func aBodyThatDoesNotArriveInTimeIsAnsweredWith408() throws {
        let connection = try MultiplexedConnection(Self.echo)
        try connection.request("POST", on: 1, isWhole: false)
        try connection.pass(9)
        try connection.body(ByteBuffer(string: "{"), on: 1)
        #expect(connection.received() == [])
        try connection.pass(2)
        #expect(connection.received() == ["1 408 end", "1 reset 0"])
        #expect(connection.server.isActive)
    }

    @Test func aWholeRequestHasAllTheTime() throws {
        let wait = Wait()
        guard case .answer(let waiting) = wait.verdict else { return }
        let connection = try MultiplexedConnection(.body(limit: 10) { _ in waiting })
        try connection.request("POST", on: 1, isWhole: false)
        try connection.body(ByteBuffer(string: "{}"), on: 1, isLast: true)
        try connection.pass(600)
        #expect(connection.received() == [])
        wait.isOver()
        try connection.exchange()
        #expect(connection.received() == ["1 404", "1 7 bytes end"])
    }

    /// RFC 9113 § 8.1: a body that the answer does not depend on is not waited for.
    @Test func anAnswerEndsARequestThatIsNotWhole() throws {
        let connection = try MultiplexedConnection(.answer(.answer(.text("no", .unauthorized))))
        try connection.request("POST", on: 1, isWhole: false)
        #expect(connection.received() == ["1 401", "1 2 bytes end", "1 reset 0"])
        try connection.pass(59)
        #expect(connection.received() == [])
    }

    // MARK: Places and ends

    /// A telephone that has left its network never confirms that it knows of the end.
    @Test(arguments: [false, true]) func aClientThatHasGoneHoldsUpNoShutdown(hasAsked: Bool) throws {
        let connection = try MultiplexedConnection()
        if hasAsked { try connection.request(on: 1) }
        connection.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.server.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(connection.server.isActive)
        connection.server.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!connection.server.isActive)
    }

    @Test func aConnectionWithoutStreamsEnds() throws {
        let connection = try MultiplexedConnection()
        try connection.pass(59)
        #expect(connection.received() == [])
        try connection.pass(2)
        #expect(connection.received() == ["goaway 2147483647 0", "goaway 0 0"])
        #expect(!connection.server.isActive)
    }

    @Test func aConnectionIsIdleFromTheEndOfItsLastStreamOn() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict)
        for id in [1, 3] as [HTTP2StreamID] { try connection.request(on: id) }
        try connection.pass(600)
        try connection.send(.rstStream(.cancel), on: 1)
        try connection.pass(600)
        #expect(connection.received() == [])
        try connection.send(.rstStream(.cancel), on: 3)
        try connection.pass(59)
        #expect(connection.received() == [])
        try connection.pass(2)
        #expect(connection.received() == ["goaway 2147483647 0", "goaway 3 0"])
    }

    /// A connection with a request under way gives way to no other.
    @Test func itsPlaceIsItsOwnWhileItHasStreams() throws {
        let connection = try MultiplexedConnection(Wait().verdict)
        for id in [1, 3] as [HTTP2StreamID] { try connection.request(on: id) }
        try connection.send(.rstStream(.cancel), on: 1)
        #expect(!connection.givesWay)
        try connection.send(.rstStream(.cancel), on: 3)
        #expect(connection.givesWay)
    }

    /// A client that does not end its requests holds nobody up.
    @Test func aRequestThatIsNotWholeKeepsNoPlace() throws {
        let connection = try MultiplexedConnection(Wait().verdict)
        try connection.request("POST", on: 1, isWhole: false)
        #expect(connection.givesWay)
    }

    @Test func whatIsAskedIsAnsweredBeforeTheEnd() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict, window: 1)
        for id in [1, 3] as [HTTP2StreamID] { try connection.request(on: id) }
        wait.isOver()
        connection.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try connection.exchange()
        let frames = connection.received()
        #expect(frames.contains("goaway 3 0") && frames.contains("1 404") && frames.contains("3 1 bytes"))
        #expect(connection.server.isActive)
        for id in [1, 3] as [HTTP2StreamID] { try connection.send(.windowUpdate(windowSizeIncrement: 100), on: id) }
        #expect(connection.received() == ["1 6 bytes end", "3 6 bytes end"])
        #expect(!connection.server.isActive)
    }

    /// RFC 9113 § 8.7: REFUSED_STREAM, 7, says that nothing was done.
    @Test func whoWaitsMayAskAgainOnAnotherConnection() throws {
        let wait = Wait()
        let connection = try MultiplexedConnection(wait.verdict)
        for id in [1, 3] as [HTTP2StreamID] { try connection.request(on: id) }
        connection.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try connection.exchange()
        let frames = connection.received()
        #expect(Set(frames).isSuperset(of: ["1 reset 7", "3 reset 7", "goaway 3 0"]))
        #expect(!connection.server.isActive)
        #expect(wait.stopped.withLock { $0 } == 2)
        wait.isOver()
    }

    /// A request may be on its way while the client is told of the end.
    @Test func whoWouldWaitMayAskAgainOnAnotherConnection() throws {
        let connection = try MultiplexedConnection(Wait().verdict)
        connection.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try connection.request(on: 1)
        #expect(Set(connection.received()).isSuperset(of: ["1 reset 7", "goaway 0 0"]))
        #expect(!connection.server.isActive)
    }
}
