import NIOHPACK
import Testing

@testable import HTTPServing

/// Header fields of requests of HTTP/2, by the rules of RFC 9113 § 8.
@Suite struct RequestFieldsTests {
    private static let plain: [(String, String)] = [
        (":method", "GET"), (":scheme", "https"), (":path", "/live/a.m3u8?b"), (":authority", "x"),
    ]

    private static func begins(_ fields: [(String, String)]) -> Bool { HPACKHeaders(fields).canBeginRequest }

    @Test func requestsOfPlayersAreWellFormed() {
        let fields = [
            ("user-agent", "AppleCoreMedia/1.0.0.21G93 (iPhone; U; CPU OS 17_6_1)"),
            ("te", "trailers"),
            ("accept-encoding", "gzip, deflate"), ("x-playback-session-id", "8A5D"), ("x", ""), ("x", " \t\u{e9}"),
            ("!#$%&'*+-.^_`|~09az", "1"), ("accept-language", "de-DE,de;q=0.9"), ("keep-alives", "1"),
            ("range", "bytes=0-"),
        ]
        #expect(Self.begins(Self.plain) && Self.begins(Self.plain + fields))
        #expect(Self.begins(Self.plain.dropLast() + [("host", "x")]))
        #expect(Self.begins([(":path", "*"), (":method", "OPTIONS"), (":scheme", "https"), (":authority", "x")]))
        #expect(Self.begins([(":method", "CONNECT"), (":authority", "x:1")]))
    }

    /// § 8.2.1 and § 8.2.2.
    @Test(arguments: [
        ("", "1"), ("Host", "x"), ("a b", "1"), ("a:b", "1"), ("a\r\nb", "1"), ("a\0", "1"), ("\u{e9}", "1"),
        ("a\u{7f}", "1"),
        ("a(", "1"), ("a[", "1"), ("a/", "1"), ("a\"", "1"), ("a,", "1"), ("a;", "1"), ("a=", "1"), ("a{", "1"),
        ("a}", "1"),
        ("x", "a\rb"), ("x", "a\nb"), ("x", "a\0b"), ("x", "a long value that ends in a line break\n"),
        ("connection", "close"), ("keep-alive", "1"), ("proxy-connection", "x"), ("transfer-encoding", "chunked"),
        ("upgrade", "h2c"), ("te", "gzip"), ("te", "trailers, gzip"),
    ])
    func aBadFieldIsFound(name: String, value: String) {
        #expect(!Self.begins(Self.plain + [(name, value)]))
        #expect(!Self.begins(Self.plain + [("accept", "*/*"), (name, value), ("x", "1")]))
        #expect(
            !HPACKHeaders([(name, value)]).canBeTrailers && !HPACKHeaders([("x", "1"), (name, value)]).canBeTrailers
        )
    }

    /// § 8.3.
    @Test func pseudoHeaderFieldsComeFirstAndOnce() {
        for field in Self.plain + [
            (":status", "200"), (":protocol", "websocket"), (":", "x"), (":Path", "/"), (":paths", "/"),
        ] {
            #expect(!Self.begins(Self.plain + [field]), "\(field.0) again, or unknown")
            #expect(!HPACKHeaders([field]).canBeTrailers)
        }
        for index in 0..<3 {
            var fields = Self.plain
            fields.remove(at: index)
            #expect(!Self.begins(fields), "without \(Self.plain[index].0)")
            #expect(!Self.begins(fields + [("x", "1"), Self.plain[index]]), "\(Self.plain[index].0) too late")
        }
        for (index, value) in [
            (0, ""), (0, "GET /"), (1, ""), (2, ""), (2, "/a b"), (2, "/a\tb"), (2, "/a\r\nx: y"), (2, "/\0"),
            (2, "/\u{7f}"), (3, ""),
            (3, "x\r\n"), (3, "x y"),
        ] {
            var fields = Self.plain
            fields[index].1 = value
            #expect(!Self.begins(fields), "\(fields[index].0) of \(value.debugDescription)")
        }
    }

    /// § 8.5.
    @Test func connectNamesAHostAlone() {
        #expect(!Self.begins([(":method", "CONNECT")]))
        #expect(!Self.begins([(":method", "CONNECT"), (":authority", "x:1"), (":path", "/")]))
        #expect(!Self.begins([(":method", "CONNECT"), (":authority", "x:1"), (":scheme", "https"), (":path", "/")]))
    }

    @Test func trailersAreRegularFields() {
        #expect(HPACKHeaders([("x-sum", "1"), ("x", "")]).canBeTrailers && HPACKHeaders().canBeTrailers)
    }
}
