import ContentProtection
import Glibc
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores
@testable import Presentation

/// Channels that are sent to a store which answers as it likes.
@Suite struct PushTests {
    private static let folder = "/media/live"
    private let server: StandInStore

    init() async throws { server = try await StandInStore() }

    private func store(_ secret: String = "s") throws -> ObjectStore { try server.objectStore(secret: secret) }

    private func push(
        _ store: ObjectStore,
        _ expiry: PushExpiry = .delete,
        backlog: PushBacklog? = nil,
        isShared: Bool = false,
        waits: Bool = false,
        calm: Duration = .seconds(15),
        telling events: PushEvents = PushEvents()
    ) -> Push {
        Push(store, number: 0, expiry: expiry, backlog: backlog, isShared: isShared, waits: waits, calm: calm) {
            events.append($0)
        }
    }

    /// Waits until the store has all that was published, which a push takes on a thread of its own.
    private func caughtUp(_ push: Push, with feed: Feed) async throws {
        await feed.presentation.finished()
        _ = try await eventually(within: 10, "everything is sent") { push.isIncomplete ? nil : true }
    }

    private func matches(_ feed: Feed) -> Bool {
        let texts = server.texts(below: Self.folder)
        return feed.served(texts.keys) == texts
    }

    @Test func aStoreHasWhatTheOriginServes() async throws {
        let push = try push(store())
        var feed = Feed(consumers: [push])
        let missing = Mutex<Set<String>>([])
        server.onChange(below: Self.folder) { texts in missing.withLock { $0.formUnion(missingFiles(in: texts)) } }
        for _ in 0..<15 {
            try feed.publish()
            try await caughtUp(push, with: feed)
        }
        #expect(matches(feed) && missing.withLock(\.isEmpty))
        let status = push.status
        #expect(status.waiting == 0 && status.problem == nil && status.totals.deleted > 0)
        #expect(status.name == "s3://media/live")
        push.close()
    }

    @Test func objectsAreSignedWithTypeLifetimeAndChecksum() async throws {
        let push = try push(store("hunter2"))
        var feed = Feed(consumers: [push])
        try feed.publish()
        try await caughtUp(push, with: feed)
        let path = "\(Self.folder)/\(Feed.video)/\(Feed.firstNumber).m4s"
        let segment = try #require(server.object(path))
        let fields = segment.fields
        #expect(fields.first(name: "Content-Type") == "video/mp4")
        #expect(fields.first(name: "Cache-Control") == "public, max-age=31536000, immutable")
        #expect(fields.first(name: "If-None-Match") == "*")
        let digest = try MessageDigest.sha256.digest(segment.body)
        #expect(fields.first(name: "x-amz-content-sha256") == digest.hex)
        #expect(fields["x-amz-checksum-sha256"].count == 1)
        // What the server sees is what was signed.
        var signed = fields
        for name in ["Authorization", "Content-Length", "Connection", "Transfer-Encoding"] { signed.remove(name: name) }
        let request = RequestSigner.Request(method: .PUT, path: path, fields: signed, bodyDigest: digest.hex)
        let authorization = try #require(fields.first(name: "Authorization"))
        let date = try #require(fields.first(name: "x-amz-date"))
        let key = try #require(AccessKey(id: "AKID", secret: "hunter2"))
        let signer = RequestSigner(region: "eu-central-1", service: "s3")
        #expect(try signer.authorization(of: request, by: key, at: SigningTime(text: date)) == authorization)
        for request in server.requests { #expect(!"\(request)".contains("hunter2")) }
        push.close()
    }

    /// A ladder of ten renditions at 100 ms a request: one after the other they would take two seconds a slot.
    @Test func requestsAreSideBySide() async throws {
        server.delay(.milliseconds(100))
        let push = try push(store())
        let renditions = (1...10).map { RenditionID("video-\($0)0p") }
        var feed = Feed(consumers: [push], renditions: renditions)
        for _ in 0..<3 {
            try feed.publish()
            try await caughtUp(push, with: feed)
        }
        #expect(server.mostUnderWay > 8 && server.mostUnderWay <= Push.lanes)
        push.close()
    }

    @Test(arguments: [
        StandInStore.Answer.error(503, "SlowDown"), .error(500, "InternalError"), .error(403, "AccessDenied"),
        .error(404, "NoSuchBucket"),
    ])
    func whatFailsIsSentOnceTheStoreTakesIt(answer: StandInStore.Answer) async throws {
        let events = PushEvents()
        let push = try push(store(), calm: .zero, telling: events)
        var feed = Feed(consumers: [push])
        try feed.publish(count: 3)
        try await caughtUp(push, with: feed)
        server.fail { _ in answer }
        try feed.publish(count: 3)
        _ = try await eventually(within: 10, "the problem is told") { events.all.isEmpty ? nil : true }
        #expect(push.status.problem != nil && push.isIncomplete)
        server.fail(nil)
        try await caughtUp(push, with: feed)
        #expect(matches(feed) && push.status.problem == nil)
        #expect(events.all.last == .ended(lost: 0), "\(events.all)")
        push.close()
    }

    @Test func answersHaveALimit() async throws {
        server.fail { _ in StandInStore.Answer(status: 503, body: String(repeating: "x", count: 200_000)) }
        let push = try push(store())
        var feed = Feed(consumers: [push])
        try feed.publish()
        let problem = try await eventually(within: 10, "the problem is told") { push.status.problem }
        #expect(problem == "the answer is longer than 65536 bytes")
        push.close()
    }

    /// After a restart one request a rendition tells of all that its playlist names.
    @Test func aLaterProcessFindsWhatIsThere() async throws {
        let first = try push(store())
        var feed = Feed(consumers: [first])
        try feed.publish(count: 8)
        try await caughtUp(first, with: feed)
        first.close()
        let before = server.requests.count
        let second = try push(store())
        feed.presentation.add(second)
        try await caughtUp(second, with: feed)
        let requests = server.requests.dropFirst(before)
        #expect(requests.count { $0.method == .GET } == 2)
        // What is served and no longer listed.
        #expect(
            requests.count { $0.method == .HEAD } < 10
                && !requests.contains { $0.target.hasSuffix(".m4s") && $0.method == .PUT }
        )
        #expect(matches(feed))
        second.close()
    }

    /// Entry points of CDNs often answer only PUT and DELETE.
    @Test(arguments: [405, 501]) func aLaterProcessNeedsNoAnswerToGetOrHead(status: Int) async throws {
        server.fail { [.GET, .HEAD].contains($0.method) ? StandInStore.Answer(status: status) : nil }
        let first = try push(store())
        var feed = Feed(consumers: [first])
        try feed.publish(count: 8)
        try await caughtUp(first, with: feed)
        first.close()
        let second = try push(store())
        feed.presentation.add(second)
        try feed.publish(count: 2)
        try await caughtUp(second, with: feed)
        #expect(matches(feed))
        second.close()
    }

    @Test func aStoreThatIsNotThereIsToldAndWaitedFor() async throws {
        let events = PushEvents()
        let push = try push(store(), telling: events)
        try await server.close()
        var feed = Feed(consumers: [push])
        try feed.publish(count: 3)
        _ = try await eventually(within: 10, "the problem is told") { events.all.isEmpty ? nil : true }
        guard case .began(.unreachable, _) = events.all.first else {
            Issue.record("\(events.all)")
            return
        }
        push.close()
    }

    /// Nothing of it holds up the stream, and a stop waits for no store that does not answer.
    @Test func aStoreThatFailsHoldsNothingUp() async throws {
        server.fail { _ in .error(503, "SlowDown") }
        let push = try push(store())
        var feed = Feed(consumers: [push])
        try feed.publish(count: 3)
        _ = try await eventually(within: 10, "it fails") { push.status.totals.failures["busy"] == nil ? nil : true }
        #expect(push.take([]) == .done)
        #expect(push.isIncomplete)
        push.close()
    }

    @Test func aStoreWithoutConditionsIsAskedOnce() async throws {
        server.fail { $0.fields.contains(name: "If-None-Match") ? .error(501, "NotImplemented") : nil }
        let push = try push(store())
        var feed = Feed(consumers: [push])
        try feed.publish()
        try await caughtUp(push, with: feed)
        let before = server.requests.count { $0.fields.contains(name: "If-None-Match") }
        try feed.publish(count: 5)
        try await caughtUp(push, with: feed)
        #expect(matches(feed) && server.requests.count { $0.fields.contains(name: "If-None-Match") } == before)
        push.close()
    }

    // MARK: Pairs

    @Test func bothMembersOfAPairMaySend() async throws {
        let (one, other) = (try push(store(), isShared: true), try push(store(), isShared: true))
        var feed = Feed(consumers: [one, other])
        for _ in 0..<10 {
            try feed.publish()
            try await caughtUp(one, with: feed)
            try await caughtUp(other, with: feed)
        }
        #expect(matches(feed))
        #expect(one.status.totals.alreadyThere + other.status.totals.alreadyThere > 20)
        one.close()
        other.close()
    }

    /// A member that is behind sets no player back.
    @Test func theNewerPlaylistStays() async throws {
        let store = try store()
        let (older, newer) = (ByteBuffer(string: "older"), ByteBuffer(string: "newer"))
        let path = "video-1080p.m3u8"
        func put(_ text: ByteBuffer, _ end: Int64, _ tag: String?) async -> (StoreAnswer, entityTag: String?) {
            await store.put(path, text, listingUntil: MediaSequenceNumber(end), replacing: tag)
        }
        let first = await put(newer, 11, nil)
        #expect(first.0 == .done && first.entityTag != nil)
        let behind = await put(older, 10, nil)
        #expect(behind.0 == .alreadyThere && behind.entityTag == first.entityTag)
        #expect(server.texts(below: Self.folder)[path] == "newer")
        // What was seen last is replaced with one request, and what has changed since with three.
        let next = await put(older, 12, behind.entityTag)
        #expect(next.0 == .done && server.texts(below: Self.folder)[path] == "older")
        let count = server.requests.count
        #expect(await put(newer, 13, first.entityTag).0 == .done)
        #expect(server.requests.count - count == 3 && server.texts(below: Self.folder)[path] == "newer")
        // A playlist of another stream is replaced, and one that somebody has removed is stored anew.
        let other = await put(older, 5, nil)
        #expect(other.0 == .alreadyThere)
        #expect(await put(older, -1_000, nil).0 == .done)
        _ = await store.delete(path)
        #expect(await put(newer, 14, "\"gone\"").0 == .done)
    }

    /// S3 answers 403 to HEAD of a missing object if the client may not list the bucket.
    @Test func aRemovedPlaylistIsStoredAnewWithoutTheRightToList() async throws {
        let store = try store()
        server.fail { $0.method == .HEAD ? StandInStore.Answer(status: 403) : nil }
        let path = "video-1080p.m3u8"
        func put(_ text: String, _ tag: String?) async -> StoreAnswer {
            await store.put(path, ByteBuffer(string: text), listingUntil: MediaSequenceNumber(14), replacing: tag).0
        }
        #expect(await put("anew", "\"gone\"") == .done)
        #expect(server.texts(below: Self.folder)[path] == "anew")
        // There is one, and it may not be read.
        #expect(await put("other", nil).problem == .forbidden(status: 403, code: nil))
    }

    // MARK: Keeping

    @Test func whatIsKeptIsSentLater() async throws {
        let directory = try TemporaryDirectory()
        let backlog = try PushBacklog(directory: directory.path, limit: 1 << 20)
        let push = try push(store(), .keep, backlog: backlog)
        var feed = Feed(consumers: [push])
        server.fail { _ in .error(503, "SlowDown") }
        for _ in 0..<30 {
            try feed.publish()
            // It has what was published before the next comes.
            await feed.presentation.finished()
        }
        let status = push.status
        #expect(status.backlogBytes > 0 && status.totals.lost == 0)
        server.fail(nil)
        try await caughtUp(push, with: feed)
        let texts = server.texts(below: Self.folder)
        #expect(texts.keys.count { $0.hasSuffix(".m4s") } == 60)
        #expect(missingFiles(in: texts).isEmpty && push.status.backlogBytes == 0)
        _ = try await eventually(within: 5, "nothing is left") { backlog.contents().isEmpty ? true : nil }
        push.close()
    }

    /// A power cut leaves files empty, or cut short: they are lost, and not what the store has for good.
    @Test func filesThatAreDamagedOnTheDiskAreLostAndTold() async throws {
        let directory = try TemporaryDirectory()
        let backlog = try PushBacklog(directory: directory.path, limit: 1 << 20)
        let names = (0..<4).map { "999999\($0).m4s" }
        for name in names { try backlog.write("video-1080p/\(name)", ByteBuffer(string: "the bytes of \(name)")) }
        for (name, length) in zip(names, [0, 5, 20]) {
            #expect(truncate(directory.file("video-1080p/\(name)"), length) == 0)
        }
        let events = PushEvents()
        let push = try push(store(), .keep, backlog: backlog, telling: events)
        var feed = Feed(consumers: [push])
        try feed.publish()
        await feed.presentation.finished()
        _ = try await eventually(within: 10, "all is decided") { push.status.waiting == 0 ? true : nil }
        let texts = server.texts(below: Self.folder).filter { $0.key.hasPrefix("video-1080p/999999") }
        #expect(texts == ["video-1080p/\(names[3])": "the bytes of \(names[3])"])
        #expect(push.status.totals.lost == 3)
        push.close()
    }

    /// Somebody clears the directory of the backlog.
    @Test func whatIsGoneFromTheDiskIsLostAndTold() async throws {
        let directory = try TemporaryDirectory()
        let backlog = try PushBacklog(directory: directory.path, limit: 1 << 20)
        try backlog.write("video-1080p/9999999.m4s", ByteBuffer(string: "one"))
        server.fail { _ in .error(503, "SlowDown") }
        let push = try push(store(), .keep, backlog: backlog)
        var feed = Feed(consumers: [push])
        try feed.publish()
        await feed.presentation.finished()
        backlog.remove("video-1080p/9999999.m4s")
        server.fail(nil)
        _ = try await eventually(within: 20, "it is given up") {
            push.status.totals.lost == 1 && push.status.waiting == 0 ? true : nil
        }
        #expect(push.status.backlogBytes == 0 && matches(feed))
        push.close()
    }

    @Test func aLaterProcessSendsWhatAnEarlierOneKept() async throws {
        let directory = try TemporaryDirectory()
        let backlog = try PushBacklog(directory: directory.path, limit: 1 << 20)
        try backlog.write("video-1080p/9999999.m4s", ByteBuffer(string: "one"))
        try backlog.write("audio-en/9999998.m4s", ByteBuffer(string: "two"))
        #expect(backlog.contents().map(\.path) == ["audio-en/9999998.m4s", "video-1080p/9999999.m4s"])
        let push = try push(store(), .keep, backlog: backlog)
        var feed = Feed(consumers: [push])
        try feed.publish()
        try await caughtUp(push, with: feed)
        let texts = server.texts(below: Self.folder)
        #expect(texts["video-1080p/9999999.m4s"] == "one" && texts["audio-en/9999998.m4s"] == "two")
        _ = try await eventually(within: 5, "nothing is left") { backlog.contents().isEmpty ? true : nil }
        push.close()
    }

    @Test func aBacklogHasALimit() async throws {
        var plan = PushPlan(expiry: .keep, lanes: 1)
        plan.restore((0..<100).map { ("video-1080p/\(10_000_000 + $0).m4s", 10) }, at: .now)
        #expect(plan.backlogBytes == 1000)
        plan.shed(to: 305)
        #expect(plan.backlogBytes == 300 && plan.totals.lost == 70 && plan.pending.count == 30)
        #expect(Set(plan.takeReleased()) == Set((0..<70).map { "video-1080p/\(10_000_000 + $0).m4s" }))
        #expect(plan.takeReleased().isEmpty)
    }

    @Test func aStoredFeedWaitsUntilAllIsThere() async throws {
        server.delay(.milliseconds(20))
        let push = try push(store(), waits: true)
        var feed = Feed(consumers: [push])
        for _ in 0..<12 {
            try feed.publish()
            // Publishing waits for it, and would keep a thread from tasks.
            await feed.presentation.finished()
        }
        #expect(!push.isIncomplete && matches(feed))
        #expect(!server.requests.contains { $0.fields.contains(name: "If-None-Match") })
        push.close()
    }

    /// Credentials that may not write do not keep a job for ever, and the job knows that it is incomplete.
    @Test func aStoredFeedGoesOnWithoutAStoreThatIsForbidden() async throws {
        server.fail { _ in .error(403, "AccessDenied") }
        let push = Push(
            try store(),
            number: 0,
            expiry: .delete,
            waits: true,
            patience: .milliseconds(500),
            onEvent: { _ in }
        )
        var feed = Feed(consumers: [push])
        try feed.publish()
        await feed.presentation.finished()
        #expect(push.isIncomplete && push.status.problem?.contains("403") == true)
        push.close()
    }

    /// A file that the origin lists and does not have keeps its playlist from the store, and says so.
    @Test func aFileThatIsMissingAtTheOriginIsTold() async throws {
        let events = PushEvents()
        let push = try push(store(), telling: events)
        let missing = "video-1080p/10000000.m4s"
        var feed = Feed(consumers: [WithoutAFile(push, missing)])
        try feed.publish(count: 2)
        await feed.presentation.finished()
        _ = try await eventually(within: 10, "it is told") { events.all.isEmpty ? nil : true }
        #expect(events.all == [.missing(path: missing)] && push.isIncomplete)
        _ = try await eventually(within: 10, "the rest is sent") {
            server.texts(below: Self.folder).keys.contains("audio-en.m3u8") ? true : nil
        }
        #expect(!server.texts(below: Self.folder).keys.contains("video-1080p.m3u8"))
        #expect(push.status.totals.lost == 0)
        push.close()
    }

    /// Hands on what is published, but for the bytes of a file.
    private final class WithoutAFile: PublicationConsumer {
        private let push: Push
        private let missing: String
        var name: String { push.name }
        var policy: ConsumerPolicy { push.policy }
        var interest: Publication.Kinds { push.interest }

        init(_ push: Push, _ missing: String) { (self.push, self.missing) = (push, missing) }

        func take(_ batch: [Publication]) -> ConsumerResult {
            push.take(
                batch.map { publication in
                    guard case .window(let whole) = publication else { return publication }
                    let snapshot = StreamSnapshot(
                        position: whole.position,
                        window: whole.window,
                        retained: whole.retained,
                        playlists: whole.playlists,
                        end: whole.end,
                        body: { [missing] in $0 == missing ? nil : whole.body($0) }
                    )
                    return .window(snapshot)
                }
            )
        }
    }
}
