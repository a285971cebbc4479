import Files
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// Segments that are sent from their files over plain HTTP/1.1, and read for everything else.
@Suite(.timeLimit(.minutes(5))) struct SentFileTests {
    /// An asset whose files are all the same, and a count of what was read of them.
    private final class Library: RecordingFiles {
        private let directory: TemporaryDirectory
        private let file: String
        let reads = Atomic(0)

        init(_ text: String) throws {
            directory = try TemporaryDirectory()
            file = try directory.write(text, to: "media")
        }

        func holds(_ path: String) -> Bool? { nil }

        func expiry(of path: Substring) -> MediaTime? { nil }

        func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] { [] }

        func byteCount(of path: Substring) throws(FileError) -> Int? {
            try LocalFileSystem.published.byteCount(of: file)
        }

        func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
            reads.add(1, ordering: .relaxed)
            return try LocalFileSystem.published.read(file, range)
        }

        func place(of range: Range<Int>, in path: String) -> FilePlace? {
            LocalFileSystem.published.place(of: range, in: file)
        }
    }

    private static let text = String(repeating: "0123456789", count: 30_000) + "END"
    private static let path = "/live/recordings/a/video/7.m4s"

    private static func origin(
        _ library: Library,
        _ counters: OriginCounters = OriginCounters(),
        _ sink: AccessLog.Sink? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> OriginServer {
        var channel = OriginChannel(name: "live", presentation: try Fixture.presentation())
        channel.recordings = library
        return OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel],
            counters: counters,
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines(level: .info) },
            accessLog: sink,
            onRunning: onRunning
        )
    }

    private static func get(_ fields: String = "", _ method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: origin\r\n\(fields)\r\n"
    }

    @Test func aConnectionGetsWholeFilesPartsAndHeads() async throws {
        let library = try Library(Self.text)
        let counters = OriginCounters()
        let lines = Mutex("")
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let sink = AccessLog.Sink(.text) { text, _ in lines.withLock { $0 += text + "\n" } }
        let server = try Self.origin(library, counters, sink) { continuation.yield($0) }
        let task = Task { try await server.run() }
        defer { task.cancel() }
        let port = try #require(await ports.first(where: { _ in true }))
        try await RawClient.connect(port: port) { client in
            for _ in 0..<2 {
                try await client.send(Self.get())
                let answer = try await client.receive(until: "END")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                let isWhole = answer.hasSuffix("\r\n\r\n" + Self.text)
                #expect(isWhole)
            }
            #expect(library.reads.load(ordering: .relaxed) == 0)
            try await client.send(Self.get("", "HEAD") + Self.get("Range: bytes=100001-\r\n"))
            let head = try await client.receive(until: "\r\n\r\n")
            #expect(head.contains("\r\nContent-Length: 300003\r\n"))
            let part = try await client.receive(until: "END")
            #expect(part.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
            #expect(part.contains("\r\nContent-Range: bytes 100001-300002/300003\r\n"))
            let isPart = part.hasSuffix("\r\n\r\n" + String(Self.text.dropFirst(100_001)))
            #expect(isPart)
            #expect(library.reads.load(ordering: .relaxed) == 0)
            // A few bytes are not worth a file.
            try await client.send(Self.get("Range: bytes=300000-\r\n"))
            #expect(try await client.receive(until: "END").hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
            #expect(library.reads.load(ordering: .relaxed) == 1)
        }
        #expect(counters.totals.bytes == 2 * 300_003 + 200_002 + 3)
        task.cancel()
        _ = await task.result
        let written = try await eventually(within: 5, "all lines") {
            let found = lines.withLock { $0 }.matches(of: #/" (\d+ \d+) "/#).map { String($0.output.1) }
            return found.count < 5 ? nil : found
        }
        #expect(written == ["200 300003", "200 300003", "200 0", "206 200002", "206 3"])
    }

    /// TLS and HTTP/2 have to see the bytes.
    @Test func otherConnectionsGetTheBytes() throws {
        let library = try Library(Self.text)
        let origin = try Self.origin(library)
        let read = origin.fetch(Self.path)
        #expect(read.file == nil)
        #expect(String(buffer: read.body) == Self.text)
        var request = Request(.GET, Self.path)
        request.takesFiles = true
        let sent = origin.responder.answer(to: request)
        #expect(sent.file?.byteCount == 300_003)
        #expect(sent.body.readableBytes == 0)
        #expect(sent.fields["Content-Length"] == read.fields["Content-Length"])
        request.method = .HEAD
        #expect(origin.responder.answer(to: request).file == nil)
        #expect(library.reads.load(ordering: .relaxed) == 1)
    }

    @Test func aRecordedSegmentIsAtItsPlace() throws {
        let past = try PastFixture()
        let body = try #require(try past.recording.body("video-1080p/450000003.m4s"))
        let place = try #require(body.place(of: 2..<5))
        let bytes = try OpenFile.plain(place.path).read(atMost: place.range.count, from: place.range.lowerBound)
        #expect(String(buffer: bytes) == "234")
        #expect(body.place(of: 2..<11) == nil)
    }

    /// Viewers of one time cost the disk one look in a second.
    @Test func theNextViewerGetsARecordedSegmentAtOnce() throws {
        let past = try PastFixture(slots: 200, media: ByteBuffer(repeating: 7, count: 100_000))
        let target = "/live/video-1080p/450000009.m4s"
        var request = Request(.GET, target)
        request.takesFiles = true
        var get = try #require(PlainGet(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")))
        get.takesFiles = true
        #expect(past.responder.prepared(for: get) == nil)
        let first = past.responder.answer(to: request)
        try withExtendedLifetime(first) {
            let next = try #require(past.responder.prepared(for: get))
            #expect(next.file?.byteCount == 100_000)
            #expect(next.head.bytes == first.encodedHead)
            #expect(next.body.readableBytes == 0)
            // TLS has to see the bytes.
            get.takesFiles = false
            #expect(past.responder.prepared(for: get) == nil)
            get.takesFiles = true
            get.arrival = .now() + .seconds(1)
            #expect(past.responder.prepared(for: get) == nil)
        }
    }
}
