import Files
import Foundation
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Synchronization
import Testing

@testable import Origin

/// Files of finished assets.
@Suite struct OriginRecordingsTests {
    private struct Library: RecordingFiles {
        var files: [String: String] = [:]
        var fails = false
        var expiry: MediaTime?

        func expiry(of path: Substring) -> MediaTime? { expiry }

        func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] { [] }

        func holds(_ path: String) -> Bool? { nil }

        func byteCount(of path: Substring) throws(FileError) -> Int? { files[String(path)]?.utf8.count }

        func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
            guard !fails, let text = files[path] else { throw FileError(operation: "read", path: path, code: EIO) }
            return ByteBuffer(bytes: Array(text.utf8)[range])
        }
    }

    private static let playlist = String(repeating: "#EXTM3U\n#EXT-X-ENDLIST\n", count: 100)
    private static let files = [
        "a/index.m3u8": playlist, "a/video/7.m4s": "0123456789", "a/clip.mp4": "movie", "a/chapters.json": "[]",
    ]

    private static func origin(_ library: Library? = Library(files: files)) throws -> OriginServer {
        let presentation = try Fixture.presentation()
        var channel = OriginChannel(name: "live", presentation: presentation)
        channel.recordings = library
        return OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel, OriginChannel(name: "bare", presentation: presentation)],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
    }

    @Test func filesOfAnAssetAreServedForADay() throws {
        let origin = try Self.origin()
        let types = [
            "a/index.m3u8": "application/vnd.apple.mpegurl", "a/video/7.m4s": "video/mp4", "a/clip.mp4": "video/mp4",
            "a/chapters.json": "application/json",
        ]
        for (path, type) in types {
            let answer = origin.fetch("/live/recordings/\(path)")
            #expect(answer.status == .ok, "\(path)")
            #expect(answer.fields["Content-Type"] == [type])
            #expect(answer.fields["Cache-Control"] == ["public, max-age=86400, immutable"])
            #expect(answer.fields["Access-Control-Allow-Origin"] == ["*"])
            #expect(String(buffer: answer.body) == Self.files[path])
        }
    }

    @Test(arguments: [(0, 0), (60, 60), (86_399, 86_399), (86_400, nil), (1_000_000, nil)] as [(Int64, Int64?)])
    func cachesDropAnAssetWhenItExpires(rest: Int64, age: Int64?) throws {
        var library = Library(files: Self.files)
        library.expiry = Fixture.now + MediaTime(seconds: rest)
        let expected = age.map { "public, max-age=\($0)" } ?? "public, max-age=86400, immutable"
        for path in Self.files.keys {
            let answer = try Self.origin(library).fetch("/live/recordings/\(path)")
            #expect(answer.fields["Cache-Control"] == [expected], "\(path)")
        }
    }

    @Test func playlistsAreCompressed() throws {
        let answer = try Self.origin().fetch("/live/recordings/a/index.m3u8", .GET, ["Accept-Encoding": "gzip"])
        #expect(answer.fields["Content-Encoding"] == ["gzip"])
        #expect(answer.body.readableBytes < Self.playlist.utf8.count / 2)
    }

    /// Answers as an origin does that keeps compressed playlists.
    private static func responder(_ files: [String: String], _ playlists: CompressedPlaylists) throws -> OriginResponder
    {
        var channel = OriginChannel(name: "live", presentation: try Fixture.presentation())
        channel.recordings = Library(files: files)
        var share = PastShare()
        share.playlists = playlists
        return OriginResponder(
            channels: [channel],
            counters: OriginCounters(),
            share: share,
            log: AccessLog(logger: Logger(label: "origin") { _ in LogLines() }),
            now: { Fixture.now }
        )
    }

    @Test func aPlaylistIsCompressedOnce() throws {
        let count = Mutex(0)
        let playlists = CompressedPlaylists { text in
            count.withLock { $0 += 1 }
            return GzipPart(text)?.member
        }
        let responder = try Self.responder(Self.files, playlists)
        func fetch(_ method: HTTPMethod = .GET, _ fields: HTTPHeaders = ["Accept-Encoding": "gzip"]) -> Answer {
            responder.answer(to: Request(method, "/live/recordings/a/index.m3u8", fields))
        }
        let first = fetch()
        for _ in 0..<3 {
            let again = fetch()
            #expect(again.fields == first.fields && again.body == first.body)
        }
        let head = fetch(.HEAD)
        #expect(head.fields == first.fields && head.body.readableBytes == 0)
        let tag = try #require(first.fields.first(name: "ETag"))
        #expect(fetch(.GET, ["Accept-Encoding": "gzip", "If-None-Match": tag]).status == .notModified)
        let plain = fetch(.GET, [:])
        #expect(String(buffer: plain.body) == Self.playlist && !plain.fields.contains(name: "Content-Encoding"))
        #expect(plain.fields["ETag"] == [tag.replacing("-gzip", with: "")])
        #expect(count.withLock { $0 } == 1)
    }

    @Test func aPlaylistThatIsTooLongIsSentAsItIs() throws {
        let text = String(repeating: "#", count: CompressedPlaylists.longest + 1)
        let responder = try Self.responder(["a/index.m3u8": text], CompressedPlaylists())
        let target = "/live/recordings/a/index.m3u8"
        let answer = responder.answer(to: Request(.GET, target, ["Accept-Encoding": "gzip"]))
        #expect(answer.status == .ok && answer.stream != nil && !answer.fields.contains(name: "Content-Encoding"))
        let choosy = responder.answer(to: Request(.GET, target, ["Accept-Encoding": "gzip, identity;q=0"]))
        #expect(choosy.status == .notAcceptable)
    }

    @Test func partsOfMediaAreServed() throws {
        let origin = try Self.origin()
        let part = origin.fetch("/live/recordings/a/video/7.m4s", .GET, ["Range": "bytes=2-4"])
        #expect(part.status == .partialContent && String(buffer: part.body) == "234")
        let tag = try #require(part.fields.first(name: "ETag"))
        #expect(origin.fetch("/live/recordings/a/video/7.m4s", .GET, ["If-None-Match": tag]).status == .notModified)
        #expect(origin.fetch("/live/recordings/a/clip.mp4").fields.first(name: "ETag") != tag)
    }

    @Test func whatIsNotThereIsNotFound() throws {
        let origin = try Self.origin()
        for path in ["/live/recordings/b/index.m3u8", "/bare/recordings/a/index.m3u8", "/none/recordings/a/index.m3u8"]
        {
            #expect(origin.fetch(path).status == .notFound, "\(path)")
        }
    }

    @Test func aDiskThatFailsIsSaidToFail() throws {
        let origin = try Self.origin(Library(files: Self.files, fails: true))
        #expect(origin.fetch("/live/recordings/a/video/7.m4s").status == .serviceUnavailable)
        #expect(origin.fetch("/live/recordings/a/index.m3u8").status == .serviceUnavailable)
    }
}
