import MediaCore
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import HTTPServing

/// Requests of HTTP/2 that have a prepared answer: it must not show.
@Suite struct MultiplexedPlainGetTests {
    private static let plain: [(String, String)] = [
        (":method", "GET"), (":scheme", "https"), (":path", "/live/a.m3u8?b"), (":authority", "x"),
    ]

    @Test func aPlainGetIsReadAsHTTP1WouldBe() throws {
        let fields = [
            ("accept-encoding", "gzip"), ("user-agent", "p/1"), ("cmcd-session", "sid=1"), ("referer", "https://r/"),
        ]
        let get = try #require(PlainGet(HPACKHeaders(Self.plain + fields)))
        #expect(get.text(get.path) == "/live/a.m3u8" && get.text(get.target) == "/live/a.m3u8?b")
        #expect(get.acceptEncoding.map(get.text) == "gzip" && get.userAgent.map(get.text) == "p/1")
        #expect(get.reports.map(get.text) == ["sid=1"] && get.referer.map(get.text) == "https://r/")
        for (name, value) in [
            ("host", "x"), ("range", "bytes=0-"), ("if-none-match", "*"), ("x", ""),
        ] {
            #expect(PlainGet(HPACKHeaders(Self.plain + [(name, value)])) == nil, "\(name): \(value)")
        }
        for (index, value) in [(0, "HEAD"), (0, "POST"), (2, "*"), (2, "/a b")] {
            var fields = Self.plain
            fields[index].1 = value
            #expect(PlainGet(HPACKHeaders(fields)) == nil, "\(value)")
        }
        #expect(PlainGet(HPACKHeaders(Self.plain.dropLast())) == nil, "it names no host")
    }

    @Test func aPlainGetHasThePreparedAnswer() throws {
        var answer = Answer.ok(["Content-Type": "text/plain", "ETag": "\"1\""], ByteBuffer(string: "whole"))
        let health = PreparedAnswer.Head(["Health": "99"])
        let prepared = PreparedAnswer(.init(answer), more: health, body: answer.body, time: .zero)
        let connection = try MultiplexedConnection(.answer(.answer(.text("parsed"))), prepared: prepared)
        try connection.request(on: 1)
        #expect(connection.received() == ["1 200", "1 5 bytes end"])
        #expect(connection.bodies[1] == ByteBuffer(string: "whole"))
        // Its head is that of the other way.
        try connection.request(on: 3)
        answer.fields.add(name: "Health", value: "99")
        let other = HPACKHeaders(answer, date: "Thu, 01 Jan 1970 00:00:00 GMT").map { "\($0.name): \($0.value)" }
        #expect(try #require(connection.fields()).map { "\($0.name): \($0.value)" } == other)
        #expect(connection.givesWay)
    }

    @Test func whatIsNoPlainGetIsParsed() throws {
        let connection = try MultiplexedConnection(.answer(.answer(.text("parsed"))), prepared: .text("prepared"))
        try connection.request(on: 1, fields: [(":authority", "x"), ("range", "bytes=0-")])
        #expect(connection.received() == ["1 200", "1 6 bytes end"])
        try connection.request(on: 3, isWhole: false)
        #expect(connection.received() == ["3 200", "3 6 bytes end", "3 reset 0"])
        try connection.request(on: 5)
        #expect(connection.received() == ["5 200", "5 8 bytes end"])
    }
}
