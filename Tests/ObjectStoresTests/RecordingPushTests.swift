import ContentProtection
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

/// Finished recordings that are sent to a store which answers as it likes.
@Suite struct RecordingPushTests {
    private static let folder = "/media/live/recordings"
    private let server: StandInStore
    private let directory: TemporaryDirectory
    private let recordings = MadeRecordings()

    init() async throws {
        server = try await StandInStore()
        directory = try TemporaryDirectory()
    }

    private func push(
        telling events: PushEvents = PushEvents(),
        fields: HTTPHeaders? = nil,
        rate: Int? = nil
    ) throws -> Push {
        let store = try server.objectStore(secret: "hunter2", fields: fields)
        let ledger = try RecordingLedger(directory: directory.file("sent"))
        let recordings = RecordingPush(store, of: recordings, ledger: ledger) { events.append($0) }
        return Push(store, number: 0, expiry: .delete, rate: rate, recordings: recordings, waits: false) {
            events.append($0)
        }
    }

    /// Sends a recording, of which the store takes the first segment and not the second.
    private func pushThatWaits(telling events: PushEvents) async throws -> Push {
        server.fail { $0.target.hasSuffix("2.m4s") ? .error(503, "SlowDown") : nil }
        recordings.add("a")
        let push = try push(telling: events)
        try await until("the rest of the page is there", push) { _ in
            server.object("\(Self.folder)/a/video/1.m4s") != nil
        }
        return push
    }

    private func look(_ push: Push) {
        push.recordings?.take(recordings.ids) { [recordings] in !recordings.ids.contains($0) }
    }

    /// Tells a push again and again which recordings there are, as a channel does, until something holds.
    private func until(
        _ what: String,
        _ push: Push,
        _ condition: @escaping @Sendable (PushedRecording) -> Bool
    ) async throws {
        _ = try await eventually(within: 15, what) {
            look(push)
            let state = push.recordings?.state(of: "a") ?? .pending
            return condition(state) ? true : nil
        }
    }

    private func isDone(_ state: PushedRecording) -> Bool { if case .done = state { true } else { false } }

    @Test func aRecordingIsThereWithTypeAndLifetime() async throws {
        let events = PushEvents()
        let push = try push(telling: events)
        let missing = Mutex<Set<String>>([])
        server.onChange(below: "\(Self.folder)/a") { texts in missing.withLock { $0.formUnion(missingFiles(in: texts)) }
        }
        recordings.add("a")
        try await until("it is sent", push) { isDone($0) }
        let expected = MadeRecordings.small.reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }
        #expect(server.texts(below: "\(Self.folder)/a") == expected)
        #expect(missing.withLock { $0 } == [])
        for (path, type) in [
            ("video/1.m4s", "video/mp4"), ("video/init-0.mp4", "video/mp4"), ("poster.jpg", "image/jpeg"),
            ("video.m3u8", "application/vnd.apple.mpegurl"), ("index.m3u8", "application/vnd.apple.mpegurl"),
        ] {
            let fields = try #require(server.object("\(Self.folder)/a/\(path)")).fields
            #expect(fields.first(name: "Content-Type") == type, "\(path)")
            #expect(fields.first(name: "Cache-Control") == "public, max-age=86400, immutable", "\(path)")
        }
        // The state is known a moment before it is told.
        _ = try await eventually(within: 15, "the event") { events.all.isEmpty ? nil : true }
        #expect(events.all == [.recordingSent(id: "a", objects: 6)])
        #expect(push.status.recordings?.sent == 1 && push.status.recordings?.totals.stored == 6)
        #expect(!push.isIncomplete)
        push.close()
    }

    @Test func aRecordingThatIsGoneGoesThereToo() async throws {
        let events = PushEvents()
        let first = try push(telling: events)
        recordings.add("a")
        try await until("it is sent", first) { isDone($0) }
        first.close()
        recordings.remove("a")
        let missing = Mutex<Set<String>>([])
        server.onChange(below: "\(Self.folder)/a") { texts in missing.withLock { $0.formUnion(missingFiles(in: texts)) }
        }
        // A later process knows of it by what the disk remembers.
        let second = try push(telling: events)
        try await until("nothing of it is left", second) { _ in server.texts(below: Self.folder).isEmpty }
        try await until("it is told", second) { _ in events.all.last == .recordingRemoved(id: "a") }
        #expect(missing.withLock { $0 } == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("sent")).isEmpty)
        second.close()
    }

    @Test func aLaterProcessGoesOn() async throws {
        let files = (0..<1200).map { ("video/\(10_000 + $0).m4s", "\($0)") }
        recordings.add("a", [Dictionary(uniqueKeysWithValues: files), ["index.m3u8": "#EXTM3U\n"]])
        let first = try push()
        try await until("a page is over", first) { state in
            if case .running(let stored, _, _) = state { stored > 600 } else { isDone(state) }
        }
        first.close()
        let before = server.requests.count
        let second = try push()
        try await until("it is sent", second) { isDone($0) }
        #expect(server.texts(below: "\(Self.folder)/a").count == 1201)
        let again = server.requests.dropFirst(before)
        // Nothing of the first page of 512, and nothing is asked for one by one.
        #expect(!again.contains { $0.target.hasSuffix("/10000.m4s") } && !again.contains { $0.method == .HEAD })
        second.close()
    }

    /// A body of any length is in memory a piece at a time, and signed as a whole.
    @Test(arguments: [false, true]) func aLongFileIsSentInPieces(toServer: Bool) async throws {
        let text = String(repeating: "0123456789abcdef", count: 330_000)
        recordings.add("a", [["clip.mp4": text]])
        let push = try push(fields: toServer ? HTTPHeaders() : nil)
        try await until("it is sent", push) { isDone($0) }
        let object = try #require(server.object("\(Self.folder)/a/clip.mp4"))
        #expect(String(buffer: object.body) == text)
        #expect(recordings.ranges.allSatisfy { $0.count <= BodyPieces.pieceByteCount } && recordings.ranges.count > 40)
        let digest = try MessageDigest.sha256.digest(object.body)
        if toServer {
            let checksum = "sha-256=:\(Data(digest).base64EncodedString()):"
            #expect(object.fields.first(name: "Content-Digest") == checksum)
        } else {
            #expect(object.fields.first(name: "x-amz-content-sha256") == digest.hex)
        }
        #expect(object.fields.first(name: "Content-Length") == "\(text.utf8.count)")
        push.close()
    }

    /// The pieces of a long file leave room between them, too.
    @Test func aLongFileIsSentNoFasterThanTheRate() async throws {
        recordings.add("a", [["clip.mp4": String(repeating: "0123456789abcdef", count: 330_000)]])
        let push = try push(rate: 20_000_000)
        let start = ContinuousClock.now
        try await until("it is sent", push) { isDone($0) }
        // It has 42 Mbit, of which those of a second go at once, and the last piece waits for none.
        #expect(ContinuousClock.now - start > .milliseconds(900))
        push.close()
    }

    @Test func whatIsLostMeanwhileIsTold() async throws {
        let events = PushEvents()
        let push = try await pushThatWaits(telling: events)
        // It is read again for each attempt, and a store that takes one may take what was read before.
        recordings.lose("video/2.m4s", of: "a")
        try await until("it has failed", push) { if case .failed = $0 { true } else { false } }
        server.fail(nil)
        guard case .recordingFailed("a", let reason)? = events.all.last else {
            Issue.record("\(events.all)")
            return
        }
        #expect(reason.hasPrefix("video/2.m4s was removed") && server.object("\(Self.folder)/a/video.m3u8") == nil)
        push.close()
    }

    @Test func aRecordingThatIsRemovedWhileItIsSentHasNotFailed() async throws {
        let events = PushEvents()
        let push = try await pushThatWaits(telling: events)
        recordings.remove("a")
        server.fail(nil)
        // It is found out before the push is told of it.
        _ = try await eventually(within: 15, "it is not sent") {
            guard case .failed? = push.recordings?.state(of: "a") else { return nil as Bool? }
            return true
        }
        try await until("nothing of it is left", push) { _ in server.texts(below: Self.folder).isEmpty }
        try await until("it is told", push) { _ in !events.all.isEmpty }
        #expect(events.all == [.recordingRemoved(id: "a")])
        push.close()
    }

    @Test func aLongFileIsReadOnceForItsDigest() async throws {
        recordings.add("a", [["clip.mp4": String(repeating: "0123456789abcdef", count: 330_000)]])
        server.fail { $0.method == .PUT ? .error(503, "SlowDown") : nil }
        let push = try push()
        try await until("it fails", push) { _ in server.requests.count { $0.method == .PUT } >= 3 }
        server.fail(nil)
        try await until("it is sent", push) { isDone($0) }
        let attempts = server.requests.count { $0.method == .PUT }
        #expect(recordings.ranges.count { $0.lowerBound == 0 } <= attempts + 1)
        push.close()
    }

    @Test(arguments: [
        StandInStore.Answer.error(503, "SlowDown"), .error(403, "AccessDenied"), .error(404, "NoSuchBucket"),
    ])
    func whatFailsIsSentOnceTheStoreTakesIt(answer: StandInStore.Answer) async throws {
        server.fail { _ in answer }
        recordings.add("a")
        let push = try push()
        try await until("it fails", push) { _ in push.status.recordings?.totals.failures.isEmpty == false }
        guard case .running(0, 6, _?)? = push.recordings?.state(of: "a") else {
            Issue.record("it is not told what is wrong")
            return
        }
        server.fail(nil)
        try await until("it is sent", push) { isDone($0) }
        push.close()
    }

    /// A recording has a quarter of the requests, and the stream is not late by it.
    @Test func theStreamIsNotHeldUp() async throws {
        server.delay(.milliseconds(20))
        let files = (0..<400).map { ("video/\($0).m4s", "\($0)") }
        recordings.add("a", [Dictionary(uniqueKeysWithValues: files)])
        let push = try push()
        try await until("it is begun", push) { if case .running = $0 { true } else { false } }
        #expect(server.mostUnderWay <= 4)
        var feed = Feed(consumers: [push])
        for _ in 0..<5 {
            try feed.publish()
            await feed.presentation.finished()
            _ = try await eventually(within: 10, "the stream is sent") { push.isIncomplete ? nil : true }
        }
        #expect(server.mostUnderWay <= Push.lanes)
        try await until("it is sent", push) { isDone($0) }
        #expect(server.texts(below: "/media/live").keys.contains("index.m3u8"))
        push.close()
    }
}
