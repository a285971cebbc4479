import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Low latency through caches and proxies: nobody waits longer than without, and a packager is asked once.
@Suite(.serialized) struct LowLatencyEdgeTests {
    /// Seconds.
    private static let partDuration = 0.5

    private static func packager(segmentDuration: Int = 2) async throws -> PackagerProcess {
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "\(segmentDuration)", "--window", "60",
            "--part-duration", "\(partDuration)",
        ])
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        return packager
    }

    /// Two packagers on one feed, both with something to play.
    private static func pair(_ fixture: PairFixture) async throws -> [PackagerProcess] {
        let own = ["--window": "60", "--part-duration": "\(partDuration)"]
        let one = try await fixture.packager(0, own)
        let other = try await fixture.packager(1, own.merging(["--peer": one.origin]) { own, _ in own })
        for packager in [one, other] {
            _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        }
        return [one, other]
    }

    private static func isOfVideo(_ fetch: Edge.Fetch) -> Bool { fetch.target.hasPrefix("/live/video-360p") }

    /// The number of the segment that comes after the last one.
    private static func next(_ playlist: MediaPlaylist) -> Int64 {
        playlist.mediaSequence.value + Int64(playlist.segments.count)
    }

    // MARK: Varnish

    /// Each reload and each part waits once at the packager, however many players wait for it.
    @Test func anAudienceCostsOneRequestAnObject() async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(.varnish, of: packager.origin)
        let alone = try await Audience.watch(packager.url("video-360p.m3u8"), viewers: 1, seconds: 10, lowLatency: true)
        let audience = try await Audience.watch(edge.origin + "/live/video-360p.m3u8", lowLatency: true)
        for watched in [alone, audience] {
            #expect(watched.failures == [])
            #expect(watched.stalled == 0)
            #expect(watched.early == 0, "Media3 would ask at once again")
        }
        let (lag, without) = (try #require(audience.lag), try #require(alone.lag))
        #expect(lag < without + Self.partDuration / 2, "it comes no later than without a cache")
        // The log is behind.
        let fetches = try await eventually(within: 5, "the log is whole") {
            let fetches = edge.fetches
            return Set(fetches.filter { $0.target.hasSuffix(".m4s") }).count >= audience.media ? fetches : nil
        }
        let waited = fetches.filter { fetch in
            Self.isOfVideo(fetch) && (fetch.target.contains("_HLS_msn") || fetch.target.hasSuffix(".m4s"))
        }
        #expect(waited.contains { $0.target.contains("_HLS_part=") })
        #expect(waited.count == Set(waited.map(\.target)).count, "\(waited)")
        #expect(waited.allSatisfy { $0.status == 200 }, "\(waited.filter { $0.status != 200 })")
        print("hit ratio:", 1 - Double(fetches.count) / Double(audience.requests))
        #expect(fetches.count * 100 < audience.requests, "\(fetches.count) of \(audience.requests)")
        await edge.end()
        await packager.end()
    }

    /// Its parked requests are lost with it, and the other member parks them.
    @Test func aKilledPackagerIsNotNoticed() async throws {
        let fixture = try PairFixture()
        let pair = try await Self.pair(fixture)
        let edge = try await Edge(.varnish, of: pair[0].origin, pair[1].origin)
        async let watching = Audience.watch(
            edge.origin + "/live/video-360p.m3u8",
            viewers: 50,
            seconds: 20,
            lowLatency: true
        )
        _ = try await eventually(within: 30, "they watch") {
            edge.fetches.count { Self.isOfVideo($0) } >= 20 ? true : nil
        }
        pair[0].program.kill()
        let audience = try await watching
        #expect(audience.failures == [], "\(pair[1].program.errors)")
        #expect(audience.stalled == 0, "\(pair[1].program.errors)")
        await edge.end()
        await pair[1].end()
    }

    /// Players go to another cache, which has none of the parts that they have: they miss none, and get the same.
    @Test func aKilledCacheIsReplacedByAnother() async throws {
        let packager = try await Self.packager()
        let killed = try await Edge(.varnish, of: packager.origin)
        let edge = try await Edge(.varnish, of: packager.origin)
        var reader = try await PartReader(packager, "video-360p")
        reader.move(to: killed.origin)
        for _ in 0..<6 { try await reader.follow() }
        while reader.next.part != 2 { try await reader.follow() }
        let slot = reader.next.segment
        killed.kill()
        reader.move(to: edge.origin)
        while reader.next.segment <= slot + 1 { try await reader.follow() }
        #expect(reader.earlyAnswers.isEmpty, "\(reader.earlyAnswers)")
        #expect(reader.changes.isEmpty, "\(reader.changes)")
        let playlist = reader.playlist
        for number in slot...slot + 1 {
            let segment = try #require(playlist.segments.dropFirst(Int(number - playlist.mediaSequence.value)).first)
            let joined = try #require(reader.joined(number, count: segment.parts.count))
            #expect(joined == (try await HTTP.body("\(edge.origin)/live/\(segment.uri)")), "segment \(number)")
        }
        await edge.end()
        await packager.end()
    }

    /// The order of directives, and what else stands in the query, make no other object.
    @Test func aReloadIsOneObjectHoweverItIsSpelled() async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(.varnish, of: packager.origin)
        let number = Self.next(try await packager.mediaPlaylist("video-360p"))
        let queries = [
            "_HLS_msn=\(number)&_HLS_part=0", "_HLS_part=0&_HLS_msn=\(number)",
            "CMCD=bl%3D100&_HLS_msn=\(number)&_HLS_part=0&token=x",
        ]
        let texts = try await withThrowingTaskGroup(of: HTTP.Answer.self) { group in
            for query in queries {
                group.addTask { try await HTTP.get("\(edge.origin)/live/video-360p.m3u8?\(query)") }
            }
            return try await group.reduce(into: [HTTP.Answer]()) { $0.append($1) }
        }
        #expect(texts.allSatisfy { $0.status == 200 })
        #expect(Set(texts.map(\.text)).count == 1)
        #expect(texts.allSatisfy { $0.fields["age"] != nil }, "by which players find the live edge")
        _ = try await eventually(within: 5, "it is fetched") {
            edge.fetches.contains { $0.target.contains("_HLS_msn=\(number)") } ? true : nil
        }
        await edge.end()
        let reloads = edge.fetches.map(\.target).filter { $0.contains("_HLS_msn=\(number)") }
        #expect(reloads == ["/live/video-360p.m3u8?_HLS_msn=\(number)&_HLS_part=0"])
        await packager.end()
    }

    // MARK: nginx

    /// It is no cache for them, but cuts nothing off.
    @Test func lowLatencyPlayersPassThroughNginx() async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(.nginx, of: packager.origin)
        let url = edge.origin + "/live/video-360p.m3u8"
        let audience = try await Audience.watch(url, viewers: 10, seconds: 12, lowLatency: true)
        #expect(audience.failures == [])
        #expect(audience.stalled == 0)
        #expect(audience.early == 0)
        await edge.end()
        await packager.end()
    }

    // MARK: HAProxy

    /// A reload that waits for a whole segment of 4 s waits for longer than other requests may take.
    @Test func haproxyCutsOffNoReload() async throws {
        let packager = try await Self.packager(segmentDuration: 4)
        let balancer = try await LoadBalancer(packager, packager)
        let number = Self.next(try await packager.mediaPlaylist("video-360p")) + 1
        let url = "\(balancer.origin)/live/video-360p.m3u8?_HLS_msn=\(number)"
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: HTTP.Answer.self) { group in
            for _ in 0..<8 { group.addTask { try await HTTP.get(url) } }
            for try await answer in group {
                #expect(answer.status == 200)
                #expect(Self.next(try MediaPlaylist(parsing: answer.text)) > number)
            }
        }
        #expect(ContinuousClock.now - begin > .seconds(2), "as long as others may take")
        // The log is behind.
        let reloads = try await eventually(within: 5, "the log is whole") {
            let reloads = balancer.answers.filter { $0.path.contains("_HLS_msn") }
            return reloads.count >= 8 ? reloads : nil
        }
        #expect(reloads.count == 8)
        #expect(reloads.allSatisfy { $0.retries == 0 }, "\(reloads)")
        await balancer.end()
        await packager.end()
    }

    @Test func aPackagerThatIsKilledBehindHAProxyIsNotNoticed() async throws {
        let fixture = try PairFixture()
        let pair = try await Self.pair(fixture)
        let balancer = try await LoadBalancer(pair[0], pair[1])
        let url = balancer.origin + "/live/video-360p.m3u8"
        async let watching = Audience.watch(url, viewers: 20, seconds: 20, lowLatency: true)
        _ = try await eventually(within: 30, "both have given parts") {
            LoadBalancer.Member.allCases.allSatisfy { balancer.segments(of: $0) >= 40 } ? true : nil
        }
        pair[0].program.kill()
        let audience = try await watching
        #expect(audience.failures == [], "\(pair[1].program.errors)")
        #expect(audience.stalled == 0, "\(pair[1].program.errors)")
        await balancer.end()
        await pair[1].end()
    }
}
