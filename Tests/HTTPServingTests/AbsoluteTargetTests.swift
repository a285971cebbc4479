import NIOHTTP1
import Testing

@testable import HTTPServing

@Suite struct AbsoluteTargetTests {
    @Test(arguments: [
        ("http://origin/live/index.m3u8", "origin", "/live/index.m3u8"),
        ("HTTP://a:80/x?y=http://b/", "a:80", "/x?y=http://b/"),
        ("https://[::1]:8080", "[::1]:8080", "/"), ("http://a?q", "a", "/?q"),
    ])
    func aWholeURLIsATarget(target: String, authority: String, path: String) {
        let read = AbsoluteTarget(target)
        #expect(read?.authority == authority)
        #expect(read?.path == path)
    }

    @Test(arguments: [
        "", "*", "/", "http:", "http://", "http:///x", "http://user@host/", "ftp://host/", "host:80", "http:/x",
    ])
    func anythingElseIsNone(target: String) {
        #expect(AbsoluteTarget(target) == nil)
    }

    /// RFC 9112 § 3.2.2: the host in the target is the one that counts.
    @Test func theHostOfTheTargetReplacesTheField() {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "http://a/x", headers: ["host": "b"])
            .inOriginForm()
        #expect(head?.uri == "/x")
        #expect(head?.headers["Host"] == ["a"])
    }

    @Test(arguments: [[:], ["Host": "a", "host": "a"]] as [HTTPHeaders])
    func exactlyOneHostIsWanted(fields: HTTPHeaders) {
        for uri in ["/x", "http://a/x"] {
            #expect(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: fields).inOriginForm() == nil)
        }
    }
}
