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

/// Segments that are not in memory.
@Suite struct StoredSegmentTests {
    private static let path = "/live/video-1080p/450000003.m4s"

    /// Ten slots, of which no more than the newest six are in memory.
    static func presentation(_ store: FailingStore) throws -> Presentation {
        var configuration = Fixture.configuration(name: "live")
        // Playlists take most of it.
        configuration.maximumBytes = try Fixture.presentation().memoryUse.bytes + 200
        let presentation = Presentation(configuration: configuration, consumers: [store], store: store, texts: .inline)
        try Fixture.publish(in: presentation)
        return presentation
    }

    private static func origin() throws -> (origin: OriginServer, store: FailingStore, presentation: Presentation) {
        let store = FailingStore()
        let presentation = try Self.presentation(store)
        let origin = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [OriginChannel(name: "live", presentation: presentation)],
            counters: OriginCounters(),
            now: { store.now },
            logger: Logger(label: "origin") { _ in LogLines() },
            onRunning: { _ in }
        )
        return (origin, store, presentation)
    }

    @Test func theyAreServedLikeAnyOther() throws {
        let (origin, store, presentation) = try Self.origin()
        let resource = presentation.resource("video-1080p/450000003.m4s", now: store.now)
        guard case .found(let resource) = resource else { throw FileError(operation: "find", path: Self.path, code: 0) }
        #expect(resource.body.memory == nil)
        let whole = origin.fetch(Self.path)
        #expect(whole.status == .ok && String(buffer: whole.body) == "0123456789")
        let part = origin.fetch(Self.path, .GET, ["Range": "bytes=2-4"])
        #expect(part.status == .partialContent && String(buffer: part.body) == "234")
        #expect(
            part.fields.first(name: "Content-Range") == "bytes 2-4/10"
                && part.fields.first(name: "Content-Length") == "3"
        )
        #expect(origin.fetch(Self.path, .GET, ["Range": "bytes=10-"]).status == .rangeNotSatisfiable)
        let tag = try #require(whole.fields.first(name: "ETag"))
        #expect(tag == resource.entityTag)
        store.fails.store(true, ordering: .relaxed)
        // What sends no bytes reads none.
        let head = origin.fetch(Self.path, .HEAD)
        #expect(head.status == .ok && head.fields.first(name: "Content-Length") == "10" && head.body.readableBytes == 0)
        #expect(origin.fetch(Self.path, .GET, ["If-None-Match": tag]).status == .notModified)
    }

    @Test func whatCannotBeReadIsSaidToBeSo() throws {
        let (origin, store, _) = try Self.origin()
        store.fails.store(true, ordering: .relaxed)
        let refused = origin.fetch(Self.path)
        #expect(refused.status == .serviceUnavailable && refused.fields.first(name: "Cache-Control") == "no-store")
        #expect(origin.fetch("/live/video-1080p/450000009.m4s").status == .ok)
        store.fails.store(false, ordering: .relaxed)
        #expect(origin.fetch(Self.path).status == .ok)
    }

    @Test func whatExpiresWhileItIsReadIsGone() throws {
        let (origin, store, _) = try Self.origin()
        store.expiresOnRead.store(true, ordering: .relaxed)
        let answer = origin.fetch("/live/video-1080p/450000000.m4s")
        #expect(answer.status == .notFound)
        #expect(String(buffer: answer.body) == "expired: the segment has left the window\n")
    }
}

/// Has every segment, unless a test wants it to fail.
final class FailingStore: PublicationConsumer, BodyStore {
    let fails = Atomic(false)
    /// True if a minute passes in the course of a read, in which the file goes.
    let expiresOnRead = Atomic(false)
    private let isLater = Atomic(false)

    var now: MediaTime { Fixture.now + MediaTime(seconds: isLater.load(ordering: .relaxed) ? 60 : 0) }
    let name = "store"
    let policy = ConsumerPolicy.observes
    let interest: Publication.Kinds = []
    func take(_ batch: [Publication]) -> ConsumerResult { .done }
    func holds(_ path: String) -> Bool? { true }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        if expiresOnRead.load(ordering: .relaxed) { isLater.store(true, ordering: .relaxed) }
        guard !fails.load(ordering: .relaxed), !isLater.load(ordering: .relaxed),
            let bytes = Fixture.segment.getSlice(at: range.lowerBound, length: range.count)
        else { throw FileError(operation: "read", path: path, reason: "the disk has died") }
        return bytes
    }
}
