import Control
import TestSupport
import Testing

@Suite struct BrowserGuardTests {
    private static let browserGuard = BrowserGuard(names: ["Packager-1.example", "0.0.0.0"])

    @Test(arguments: [
        nil, "127.0.0.1", "127.0.0.1:8081", "[::1]:8081", "[::1]", "192.0.2.7:8081", "localhost",
        "LocalHost:8081",
        "packager-1.example:8081", "localhost:",
    ])
    func hostsThatAreAddressesOrOwnNamesAreAllowed(host: String?) {
        #expect(Self.browserGuard.objection(host: host, origin: nil) == nil)
    }

    @Test(arguments: [
        "", "example.com", "example.com:8081", "127.0.0.1.example.com", "localhost.example.com:8081", "localhost:x",
        "127.0.0.1@example.com", "[::1", "[::1]x", "packager-2.example", ":8081", "127.0.0.1:80:81", "127.1:80",
    ])
    func otherHostNamesAreRefused(host: String) {
        #expect(
            Self.browserGuard.objection(host: host, origin: nil)
                == "the control API answers to addresses and to: 0.0.0.0, localhost, packager-1.example"
        )
    }

    @Test(arguments: [
        ("127.0.0.1:8081", "http://127.0.0.1:8081"), ("localhost:8081", "http://LOCALHOST:8081"),
        ("packager-1.example", "https://packager-1.example"), ("[::1]:8081", "http://[::1]:8081"),
    ])
    func sameOriginIsAllowed(host: String, origin: String) {
        #expect(Self.browserGuard.objection(host: host, origin: origin) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:8081", "http://127.0.0.1:8080"), ("127.0.0.1:8081", "http://localhost:8081"),
        ("127.0.0.1:8081", "null"), ("127.0.0.1:8081", ""), ("127.0.0.1:8081", "https://example.com"),
        ("127.0.0.1:8081", "http://127.0.0.1:8081, http://example.com"), (nil, "http://127.0.0.1:8081"),
    ])
    func otherOriginsAreRefused(host: String?, origin: String) {
        #expect(Self.browserGuard.objection(host: host, origin: origin) == "web pages of other origins may not read")
    }

    @Test(
        arguments: [
            (nil, true, true), ("same-origin", true, true), ("none", true, true), ("cross-site", true, false),
            ("same-site", true, false), ("", true, false), ("cross-site", false, false), ("same-site", false, false),
            ("same-origin", false, true),
        ] as [(String?, Bool, Bool)]
    )
    func aPageOfAnotherSiteMayNotAskForAnything(site: String?, changes: Bool, isAllowed: Bool) {
        let objection = Self.browserGuard.objection(host: "localhost", origin: nil, site: site, changes: changes)
        #expect((objection == nil) == isAllowed)
    }

    /// A link may lead to the page, but not to a change.
    @Test func aLinkOfAnotherSiteMayLeadHere() {
        func objection(changes: Bool) -> String? {
            Self.browserGuard.objection(
                host: "localhost",
                origin: nil,
                site: "cross-site",
                mode: "navigate",
                changes: changes
            )
        }
        #expect(objection(changes: false) == nil)
        #expect(objection(changes: true) == "web pages of other origins may not change anything")
    }

    /// The browser has looked at the certificate.
    @Test func overTLSAnyNameIsItsOwn() {
        let host = "control.example.com"
        #expect(Self.browserGuard.objection(host: host, origin: nil, isSecure: true) == nil)
        #expect(
            Self.browserGuard.objection(host: host, origin: "https://\(host)", changes: true, isSecure: true) == nil
        )
        #expect(
            Self.browserGuard.objection(host: host, origin: "https://other.example.com", isSecure: true)
                == "web pages of other origins may not read"
        )
    }

    @Test func noFieldTrapsIt() {
        var generator = SeededGenerator(seed: 1)
        let characters = Array("[]:.1af@ \u{0}é%localhost")
        for _ in 0..<5000 {
            let host = String(
                (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
                    characters.randomElement(using: &generator)
                }
            )
            _ = Self.browserGuard.objection(host: host, origin: host)
        }
    }
}
