import Files
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Synchronization
import Testing

@testable import Origin

/// Bodies that are too long to be in memory: a clip in one file may have hours.
@Suite(.timeLimit(.minutes(5))) struct LongBodyTests {
    /// An asset whose files have so many bytes, and what was read of them.
    private final class Library: RecordingFiles {
        private let count: Int
        private let readableCount: Int
        private let ranges = Mutex<[Range<Int>]>([])

        init(byteCount: Int, readable: Int = .max) { (count, readableCount) = (byteCount, readable) }

        var reads: [Range<Int>] { ranges.withLock { $0 } }

        func holds(_ path: String) -> Bool? { nil }

        func expiry(of path: Substring) -> MediaTime? { nil }

        func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] { [] }

        func byteCount(of path: Substring) throws(FileError) -> Int? { count }

        func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
            ranges.withLock { $0.append(range) }
            if range.upperBound > readableCount {
                throw FileError(operation: "read", path: path, reason: "the disk has died")
            }
            return ByteBuffer(repeating: 7, count: range.count)
        }

        func place(of range: Range<Int>, in path: String) -> FilePlace? {
            Issue.record("all of it would be loaded")
            return nil
        }
    }

    private struct Left: Error {}

    private static func answer(
        _ library: Library,
        _ method: HTTPMethod = .GET,
        _ fields: HTTPHeaders = [:],
        takesFiles: Bool = true
    ) throws -> Answer {
        var channel = OriginChannel(name: "live", presentation: try Fixture.presentation())
        channel.recordings = library
        let origin = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
        var request = Request(method, "/live/recordings/a/clip.mp4", fields)
        request.takesFiles = takesFiles
        return origin.responder.answer(to: request)
    }

    @Test(arguments: [true, false]) func aLongFileIsReadWhileItIsSent(takesFiles: Bool) async throws {
        let library = Library(byteCount: 100_000_000)
        let answer = try Self.answer(library, takesFiles: takesFiles)
        #expect(answer.status == .ok && answer.file == nil && answer.body.readableBytes == 0)
        #expect(answer.fields["Content-Length"] == ["100000000"])
        #expect(answer.byteCount == 100_000_000)
        #expect(library.reads.isEmpty)
        let sent = Mutex(0)
        try await answer.stream? { bytes in sent.withLock { $0 += bytes.readableBytes } }
        #expect(sent.withLock { $0 } == 100_000_000)
        #expect(library.reads.map(\.count).max() == ResourceAnswer.piece)
        #expect(library.reads.last?.upperBound == 100_000_000)
    }

    /// Over TLS each client that takes nothing would have all of it in memory, and what it is encrypted to.
    @Test func whatIsNotSentFromItsFileIsReadWhileItIsSent() async throws {
        let library = Library(byteCount: 20_000_000)
        let answer = try Self.answer(library, takesFiles: false)
        #expect(answer.status == .ok && answer.body.readableBytes == 0)
        #expect(answer.fields["Content-Length"] == ["20000000"])
        #expect(library.reads.isEmpty)
        let sent = Mutex(0)
        try await answer.stream? { bytes in sent.withLock { $0 += bytes.readableBytes } }
        #expect(sent.withLock { $0 } == 20_000_000)
        #expect(library.reads.map(\.count).max() == ResourceAnswer.piece)
        let part = try Self.answer(library, .GET, ["Range": "bytes=10000000-"], takesFiles: false)
        #expect(part.status == .partialContent && part.stream != nil && part.byteCount == 10_000_000)
        // A segment of a usual size is read at once.
        let short = try Self.answer(Library(byteCount: 4_000_000), takesFiles: false)
        #expect(short.stream == nil && short.body.readableBytes == 4_000_000)
    }

    @Test func aFileMayBeLongerThanMemory() async throws {
        let library = Library(byteCount: 20_000_000_000)
        let answer = try Self.answer(library, .GET, ["Range": "bytes=7-"])
        #expect(answer.status == .partialContent)
        #expect(answer.fields["Content-Length"] == ["19999999993"])
        #expect(answer.fields["Content-Range"] == ["bytes 7-19999999999/20000000000"])
        // Who leaves has no more read.
        await #expect(throws: Left.self) { try await answer.stream? { _ in throw Left() } }
        #expect(library.reads == [7..<7 + ResourceAnswer.piece])
        let head = try Self.answer(library, .HEAD)
        #expect(head.stream == nil && head.fields["Content-Length"] == ["20000000000"])
        let part = try Self.answer(library, .GET, ["Range": "bytes=19999999990-"])
        #expect(part.stream == nil && part.body.readableBytes == 10)
    }

    @Test func whatCannotBeReadIsCutOff() async throws {
        let answer = try Self.answer(Library(byteCount: 100_000_000, readable: 90_000_000))
        let sent = Mutex(0)
        await #expect(throws: FileError.self) {
            try await answer.stream? { bytes in sent.withLock { $0 += bytes.readableBytes } }
        }
        #expect((80_000_000...90_000_000).contains(sent.withLock { $0 }))
    }
}
