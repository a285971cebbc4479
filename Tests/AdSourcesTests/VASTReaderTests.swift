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

    private static func assets(_ document: String, _ pages: [String: String] = [:]) async throws -> AssetList {
        try await VASTReader(fetcher: Pages(pages: pages)).assets(in: Array(document.utf8))
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
        #expect(list.skipControl == nil)
    }

    /// Where the first of them leads nowhere the next is taken.
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
}
