import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Testing

@testable import Origin

/// Multivariant playlists that the query of a request filters.
@Suite struct FilteredPlaylistTests {
    private static func text(_ answer: Answer) -> String { String(buffer: answer.body) }

    /// Answers a request whose form of the playlist may have to be made.
    private static func gzip(_ server: OriginServer, _ target: String) async -> Answer {
        let request = Request(.GET, target, ["Accept-Encoding": "gzip"])
        guard case .pending(let work) = server.responder.reply(to: request) else {
            return server.responder.answer(to: request)
        }
        return server.responder.finish(await work(), request, duration: .zero)
    }

    @Test func aFilteredPlaylistIsAnsweredAsTheWholeOneIs() async throws {
        let server = try Fixture.server()
        let whole = server.fetch("/live/index.m3u8")
        let filtered = server.fetch("/live/index.m3u8?audio-language=und&codec=h264")
        #expect(filtered.status == .ok)
        #expect(Self.text(filtered) == Self.text(whole))
        for name in ["Cache-Control", "Content-Type", "Vary", "Priority"] {
            #expect(filtered.fields.first(name: name) == whole.fields.first(name: name))
        }
        let entityTag = try #require(filtered.fields.first(name: "ETag"))
        let again = server.fetch("/live/index.m3u8?codec=h264&audio-language=und", .GET, ["If-None-Match": entityTag])
        #expect(again.status == .notModified)
        let gzip = await Self.gzip(server, "/live/index.m3u8?codec=h264&audio-language=und")
        let wholeGzip = await Self.gzip(server, "/live/index.m3u8")
        #expect(gzip.status == .ok && gzip.body == wholeGzip.body)
        for name in ["Content-Encoding", "ETag"] {
            #expect(gzip.fields.first(name: name) == wholeGzip.fields.first(name: name))
        }
        let head = server.fetch("/live/index.m3u8?codec=h264&audio-language=und", .HEAD)
        #expect(head.body.readableBytes == 0)
        #expect(head.fields.first(name: "Content-Length") == filtered.fields.first(name: "Content-Length"))
    }

    @Test(arguments: [
        ("video-size=1", 400), ("video-height=720..480", 400), ("codec=h264&codec=h264", 400),
        ("video-codec=hevc", 404),
        ("audio-language=fr", 404),
    ])
    func aFilterThatFailsSaysWhy(query: String, status: Int) throws {
        let answer = try Fixture.server().fetch("/live/index.m3u8?\(query)")
        #expect(answer.status.code == UInt(status))
        #expect(answer.fields.first(name: "Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.fields.first(name: "Cache-Control") == "public, max-age=6")
        #expect(!Self.text(answer).contains("\(query)"))
        #expect(Self.text(answer).contains("filter"))
    }

    @Test func mediaPlaylistsAndSegmentsHaveNoFilters() throws {
        let server = try Fixture.server()
        #expect(server.fetch("/live/video-1080p.m3u8?video-size=1").status == .ok)
        #expect(server.fetch("/live/video-1080p/450000009.m4s?codec=none").status == .ok)
    }

    @Test func aPlainGetWithAFilterIsNotPrepared() throws {
        let server = try Fixture.server(log: LogLines(level: .notice))
        // The whole playlist is made and known.
        #expect(server.fetch("/live/index.m3u8").status == .ok)
        func prepared(_ target: String) throws -> PreparedAnswer? {
            let head = ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return server.responder.prepared(for: try #require(PlainGet(head)))
        }
        #expect(try prepared("/live/index.m3u8") != nil)
        #expect(try prepared("/live/index.m3u8?token=abc") != nil)
        #expect(try prepared("/live/index.m3u8?codec=h264") == nil)
        #expect(try prepared("/live/index.m3u8?token=abc&video_height=1-720") == nil)
    }

    @Test func aFloodOfFiltersCostsBoundedMemory() throws {
        let cache = FilteredPlaylists()
        let document = """
            #EXTM3U
            #EXT-X-VERSION:1
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.64001F",RESOLUTION=1280x720,CLOSED-CAPTIONS=NONE
            video.m3u8

            """
        let source = PlaylistText(text: document)
        weak var first: PlaylistText?
        for number in 1...720 {
            let filter = try MultivariantFilter(query: "video-height=\(number)..720")
            let text = try cache.text(filter, of: source)
            if number == 1 { first = text }
            #expect(cache.known(filter, of: source) === text)
        }
        #expect(first == nil)
        // Another text of the playlist has others.
        let next = PlaylistText(text: document)
        #expect(cache.known(try MultivariantFilter(query: "video-height=720..720"), of: next) == nil)
        #expect(throws: FilterError.nothingLeft) {
            try cache.text(MultivariantFilter(query: "video-height=1"), of: source)
        }
    }
}
