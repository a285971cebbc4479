import Foundation
import MediaCore
import NIOHTTP1
import Playlists
import Presentation
import TestSupport
import Testing

@testable import ObjectStores

/// Stores that others have written: moto, SeaweedFS, which verifies signatures, and nginx.
@Suite(.serialized) struct RealStoreTests {
    private static func store(
        _ kind: RealStore.Kind,
        _ url: String,
        secret: String = RealStore.key.secret
    ) throws
        -> ObjectStore
    {
        let now: @Sendable () -> MediaTime = { SystemClock().wallClock }
        let destination: PushDestination
        let credentials: ObjectStore.Credentials
        if kind == .nginx {
            (destination, credentials) = (.server("\(url)/media/live"), .fields([:]))
        } else {
            let key = try #require(AccessKey(id: RealStore.key.id, secret: secret))
            destination = .bucket("media", prefix: "live", endpoint: url, region: "us-east-1", addressing: nil)
            credentials = .accessKeys(AccessKeys(.key(key), now: now), region: "us-east-1")
        }
        return ObjectStore(destination, credentials, connections: Push.lanes, targetDuration: 6, now: now)
    }

    private static func push(_ store: ObjectStore, isShared: Bool = false) -> Push {
        Push(store, number: 0, expiry: .delete, isShared: isShared, waits: false) { _ in }
    }

    private static func caughtUp(_ pushes: [Push], with feed: Feed) async throws {
        await feed.presentation.finished()
        _ = try await eventually(within: 20, "everything is sent") {
            if let problem = pushes.compactMap(\.status.problem).first { print(problem) }
            return pushes.contains(where: \.isIncomplete) ? nil : true
        }
    }

    @Test(arguments: RealStore.Kind.allCases)
    func playersReadFromThereWhatTheOriginServes(kind: RealStore.Kind) async throws {
        let server = try await RealStore(kind)
        let push = Self.push(try Self.store(kind, server.url))
        var feed = Feed(consumers: [push])
        for _ in 0..<16 {
            try feed.publish()
            try await Self.caughtUp([push], with: feed)
        }
        let base = "\(server.url)/media/live/"
        let playlists = ["index.m3u8", "\(Feed.video).m3u8", "\(Feed.audio).m3u8"]
        for (path, text) in feed.served(playlists) {
            let answer = try await HTTP.get(base + path)
            #expect(answer.status == 200 && answer.text == text, "\(path): \(answer.status)")
            if kind != .nginx { #expect(answer.fields["content-type"] == "application/vnd.apple.mpegurl") }
            guard let playlist = try? MediaPlaylist(parsing: text) else { continue }
            for uri in playlist.segments.map(\.uri) + playlist.segments.compactMap(\.map?.uri) {
                let answer = try await HTTP.get(base + uri)
                #expect(answer.status == 200 && answer.text == feed.served([uri])[uri], "\(uri): \(answer.status)")
                if kind != .nginx { #expect(answer.fields["cache-control"]?.contains("immutable") == true) }
            }
        }
        #expect(push.status.totals.deleted > 0 && push.status.totals.failures.isEmpty)
        let expired = try await HTTP.get("\(base)\(Feed.video)/\(Feed.firstNumber).m4s")
        #expect([403, 404].contains(expired.status))
        push.close()
    }

    @Test(arguments: [RealStore.Kind.moto, .seaweedfs])
    func bothMembersOfAPairSend(kind: RealStore.Kind) async throws {
        let server = try await RealStore(kind)
        let pushes = try (0..<2).map { _ in Self.push(try Self.store(kind, server.url), isShared: true) }
        var feed = Feed(consumers: pushes)
        for _ in 0..<6 {
            try feed.publish()
            try await Self.caughtUp(pushes, with: feed)
        }
        for (path, text) in feed.served(["index.m3u8", "\(Feed.video).m3u8", "\(Feed.audio).m3u8"]) {
            #expect(try await HTTP.get("\(server.url)/media/live/\(path)").text == text, "\(path)")
        }
        // Each segment was sent by both and stored once.
        #expect(pushes.reduce(0) { $0 + $1.status.totals.alreadyThere } >= 12)
        for push in pushes { push.close() }
    }

    @Test func credentialsThatAreWrongAreToldInWords() async throws {
        let server = try await RealStore(.seaweedfs)
        let push = Self.push(try Self.store(.seaweedfs, server.url, secret: "another"))
        var feed = Feed(consumers: [push])
        try feed.publish()
        let problem = try await eventually(within: 20, "the refusal is told") { push.status.problem }
        #expect(problem.hasPrefix("the credentials may not write there (403"), "\(problem)")
        push.close()
    }

    /// SeaweedFS makes a bucket that is missing.
    @Test func aBucketThatIsNotThereIsToldInWords() async throws {
        let server = try await RealStore(.moto)
        let key = try #require(AccessKey(id: RealStore.key.id, secret: RealStore.key.secret))
        let now: @Sendable () -> MediaTime = { SystemClock().wallClock }
        let store = ObjectStore(
            .bucket("nothing", prefix: "live", endpoint: server.url, region: "us-east-1", addressing: nil),
            .accessKeys(AccessKeys(.key(key), now: now), region: "us-east-1"),
            connections: 4,
            targetDuration: 6,
            now: now
        )
        let push = Self.push(store)
        var feed = Feed(consumers: [push])
        try feed.publish()
        let problem = try await eventually(within: 20, "the refusal is told") { push.status.problem }
        #expect(problem == "there is no such bucket or folder (404 NoSuchBucket)")
        push.close()
    }
}
