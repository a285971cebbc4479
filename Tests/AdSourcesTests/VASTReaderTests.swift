import Fetching
import MediaCore
import NIOCore
import Testing

@testable import AdSources

/// Documents as servers of advertisements send them (IAB VAST 2 to 4).
@Suite struct VASTReaderTests {
    /// Answers from memory.
    private struct Pages: Fetcher {
        var pages: [String: String] = [:]

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            guard let page = pages[url] else { throw .invalidURL(url) }
            return FetchedResource(url: url, body: ByteBuffer(string: page))
        }
    }

    private static func ad(
        _ name: String,
        _ attributes: String = "",
        linear: String = "",
        type: String? = nil
    ) -> String {
        """
        <Ad id="\(name)" \(attributes)><InLine><AdSystem>x</AdSystem><Creatives>
        <Creative><CompanionAds/></Creative>
        <Creative><Linear \(linear)><Duration>00:00:15.500</Duration><MediaFiles>
          <MediaFile type="video/mp4" delivery="progressive"><![CDATA[https://a/\(name).mp4]]></MediaFile>
          <MediaFile type="\(type ?? "application/vnd.apple.mpegurl")"> <![CDATA[ https://a/\(name).m3u8?a=1&b=2 ]]>
          </MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """
    }

    private static func wrapper(_ url: String, _ attributes: String = "") -> String {
        "<Ad \(attributes)><Wrapper><VASTAdTagURI><![CDATA[\(url)]]></VASTAdTagURI></Wrapper></Ad>"
    }

    private static func vast(_ ads: String...) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">\#(ads.joined())</VAST>"#
    }

    private static func assets(
        _ document: String,
        _ pages: [String: String] = [:],
        reach: AdReach = AdReach()
    ) async throws -> AssetList {
        try await VASTReader(fetcher: Pages(pages: pages), reach: reach).assets(in: Array(document.utf8))
    }

    @Test func anAdIsPlayedFromItsPlaylist() async throws {
        let list = try await Self.assets(Self.vast(Self.ad("one", linear: #"skipoffset="00:00:05""#), Self.ad("two")))
        #expect(list.assets == [.init(uri: "https://a/one.m3u8?a=1&b=2", seconds: 15.5)])
        #expect(list.skipControl?.offset == 5)
    }

    @Test func aPodIsPlayedInItsOrder() async throws {
        let document = Self.vast(
            Self.ad("alone"),
            Self.ad("two", #"sequence="2""#),
            Self.wrapper("https://b/three", #"sequence="3""#),
            Self.ad("one", #"sequence="1""#)
        )
        let list = try await Self.assets(
            document,
            ["https://b/three": Self.vast(Self.ad("three", linear: #"skipoffset="50%""#))]
        )
        #expect(list.assets.map(\.uri) == ["one", "two", "three"].map { "https://a/\($0).m3u8?a=1&b=2" })
        // Half of the last, which follows two of 15.5 s.
        #expect(list.skipControl == AssetList.SkipControl(offset: 39))
    }

    /// A skip ends the list, so it must not come before every seller allows it: the first cases are those of a pod of which
    /// only the second advertisement, or only the first, may be skipped.
    @Test(
        arguments: [
            ([nil, "00:00:05"], 21), (["00:00:05", nil], nil), (["00:00:05", "00:00:05"], 21), (["00:00:05"], 5),
            (["00:00:04.200"], 5), (["00:00:15.400"], nil), (["00:00:15.500"], nil), (["01:00:00"], nil),
            ([nil, nil, "00:00:00"], 31), (["0%"], 0), (["100%"], nil), (["999%"], nil), (["-00:00:05"], nil),
            (["5"], nil),
        ] as [([String?], Int?)]
    )
    func onlyTheLastMayBeSkipped(offsets: [String?], expected: Int?) async throws {
        let ads = offsets.enumerated().map { index, offset in
            Self.ad("\(index)", "sequence=\"\(index + 1)\"", linear: offset.map { "skipoffset=\"\($0)\"" } ?? "")
        }
        let document = "<VAST version=\"4.2\">\(ads.joined())</VAST>"
        #expect(try await Self.assets(document).skipControl?.offset == expected)
    }

    /// The next alternative is taken where the first leads nowhere.
    @Test func alternativesAreTriedInTurn() async throws {
        let document = Self.vast(Self.wrapper("https://b/gone"), Self.ad("mp4", type: "video/webm"), Self.ad("two"))
        #expect(try await Self.assets(document).assets.map(\.uri) == ["https://a/two.m3u8?a=1&b=2"])
    }

    @Test(arguments: [5, 6])
    func wrappersEndSomewhere(depth: Int) async throws {
        var pages: [String: String] = [:]
        for level in 1...depth {
            let inner = level == depth ? Self.ad("last") : Self.wrapper("https://b/\(level + 1)")
            pages["https://b/\(level)"] = Self.vast(inner)
        }
        let document = Self.vast(Self.wrapper("https://b/1"))
        if depth == 5 {
            #expect(try await Self.assets(document, pages).assets.count == 1)
        } else {
            await #expect(throws: AdSourceError("there are more than 5 wrappers one in another")) {
                try await Self.assets(document, pages)
            }
        }
        // One that wraps itself is as deep.
        pages = ["https://b/1": document]
        await #expect(throws: AdSourceError.self) { try await Self.assets(document, pages) }
    }

    @Test func noAdIsNoFailure() async throws {
        #expect(try await Self.assets(Self.vast()).assets.isEmpty)
    }

    @Test(arguments: [
        ("", "not well-formed"), ("<VAST>", "not well-formed"), ("<html></html>", "no VAST"),
        (#"<!DOCTYPE a [<!ENTITY b "c">]><VAST/>"#, "document type"),
        ("<?xml version='1.0'?><?a?><VAST/>", "instructions"),
        (vast(ad("one", type: "video/mp4")), "has no media file of HLS"),
        (vast(wrapper("file:///etc/passwd")), "no address"),
        ("<VAST>" + String(repeating: "<a>", count: 100), "deeper"),
    ])
    func whatIsNoneIsNamed(document: String, reason: String) async {
        let error = await #expect(throws: AdSourceError.self) { try await Self.assets(document) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    /// Counts how often it is asked, and answers everything with what it is given.
    private actor Counter: Fetcher {
        private(set) var count = 0
        private let page: @Sendable (Int) -> String

        init(_ page: @escaping @Sendable (Int) -> String) { self.page = page }

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            count += 1
            return FetchedResource(url: url, body: ByteBuffer(string: page(count)))
        }
    }

    /// A hundred wrappers, each of which leads to nothing, or to a hundred more.
    @Test(arguments: [false, true])
    func wrappersAreBoundedInAll(isPod: Bool) async throws {
        let wrappers = (0..<100).map { Self.wrapper("https://b/\($0)", isPod ? "sequence=\"\($0)\"" : "") }
        let document = "<VAST>\(wrappers.joined())</VAST>"
        let (empty, nested) = (Counter { _ in "<VAST/>" }, Counter { _ in document })
        for counter in [empty, nested] {
            await #expect(throws: AdSourceError.self) {
                try await VASTReader(fetcher: counter, reach: AdReach()).assets(in: Array(document.utf8))
            }
        }
        #expect(await empty.count == 20)
        #expect(await nested.count <= 20)
    }

    @Test func bytesAreBoundedInAll() async throws {
        let padding = "<!--\(String(repeating: " ", count: 900_000))-->"
        let wrappers = (0..<20).map { Self.wrapper("https://b/\($0)", "sequence=\"\($0)\"") }
        let counter = Counter { _ in "<VAST>\(padding)\(Self.ad("a"))</VAST>" }
        let list = try await VASTReader(fetcher: counter, reach: AdReach()).assets(
            in: Array("<VAST>\(wrappers.joined())</VAST>".utf8)
        )
        #expect(list.assets.count == 4)
    }

    @Test func advertisementsAreBoundedInAll() async throws {
        let ads = (0..<300).map { Self.ad("\($0)", "sequence=\"\($0)\"") }.joined()
        #expect(try await Self.assets("<VAST>\(ads)</VAST>").assets.count == 100)
        let creative =
            "<Creative><Linear><Duration>00:00:01</Duration><MediaFiles>"
            + "<MediaFile type=\"application/x-mpegurl\">https://a/b.m3u8</MediaFile></MediaFiles></Linear></Creative>"
        let one = "<Ad><InLine><Creatives>\(String(repeating: creative, count: 500))</Creatives></InLine></Ad>"
        #expect(try await Self.assets("<VAST>\(one)</VAST>").assets.count == 100)
    }

    /// Neither wrappers nor media lead into private networks, unless the configuration does.
    @Test(arguments: [
        "http://127.0.0.1:8081/", "http://localhost/", "http://a.localhost./", "http://10.1.2.3/", "http://[::1]/",
        "http://[::ffff:192.168.0.1]/", "http://169.254.169.254/latest", "http://2130706433/", "http://0x7f.1/",
        "http://user@127.0.0.1/", "http://0/", "https://[fe80::1]/", "http://172.16.0.1:80/",
    ])
    func privateServersAreNotAsked(url: String) async throws {
        let counter = Counter { _ in "<VAST>\(Self.ad("a"))</VAST>" }
        let wrapper = Array("<VAST>\(Self.wrapper(url))</VAST>".utf8)
        let media = Array("<VAST>\(Self.ad("a").replacing("https://a/", with: url))</VAST>".utf8)
        for document in [wrapper, media] {
            await #expect(throws: AdSourceError.self) {
                try await VASTReader(fetcher: counter, reach: AdReach()).assets(in: document)
            }
        }
        #expect(await counter.count == 0)
        let trusting = AdReach(trusting: url + "vast?id={id}")
        for reach in [trusting, AdReach(allowsPrivate: true)] {
            #expect(try await VASTReader(fetcher: counter, reach: reach).assets(in: wrapper).assets.count == 1)
            #expect(try await VASTReader(fetcher: counter, reach: reach).assets(in: media).assets.count == 1)
        }
        // Another port is another server, and the text before an at sign is not a host.
        let elsewhere = AdReach(trusting: "http://127.0.0.1:1/")
        let disguised = Array("<VAST>\(Self.wrapper("http://127.0.0.1:1\\@localhost/"))</VAST>".utf8)
        for document in [wrapper, disguised] {
            await #expect(throws: AdSourceError.self) {
                try await VASTReader(fetcher: counter, reach: elsewhere).assets(in: document)
            }
        }
    }
}
