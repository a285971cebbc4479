import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Low latency through programs that fail or are no cache: nobody waits longer than without.
@Suite(.serialized) struct LowLatencyProxyTests {
    /// Players go to another cache, which has none of the parts that they have: they miss none, and get the same.
    @Test func aKilledCacheIsReplacedByAnother() async throws {
        let packager = try await LowLatencyStage.packager()
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

    // MARK: nginx

    /// It is no cache for them, but cuts nothing off.
    @Test func lowLatencyPlayersPassThroughNginx() async throws {
        let packager = try await LowLatencyStage.packager()
        let edge = try await Edge(.nginx, of: packager.origin)
        let url = edge.origin + "/live/video-360p.m3u8"
        let audience = try await Audience.watch(url, viewers: 10, seconds: 12, lowLatency: true)
        #expect(audience.failures == [])
        #expect(audience.isSmooth, "\(audience)")
        #expect(audience.early == 0)
        await edge.end()
        await packager.end()
    }

    // MARK: HAProxy

    /// A reload that waits for a whole segment of 4 s waits for longer than other requests may take.
    @Test func haproxyCutsOffNoReload() async throws {
        let packager = try await LowLatencyStage.packager(segmentDuration: 4)
        let balancer = try await LoadBalancer(packager, packager)
        let number = LowLatencyStage.next(try await packager.mediaPlaylist("video-360p")) + 1
        let url = "\(balancer.origin)/live/video-360p.m3u8?_HLS_msn=\(number)"
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: HTTP.Answer.self) { group in
            for _ in 0..<8 { group.addTask { try await HTTP.get(url) } }
            for try await answer in group {
                #expect(answer.status == 200)
                #expect(LowLatencyStage.next(try MediaPlaylist(parsing: answer.text)) > number)
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
        let pair = try await LowLatencyStage.pair(fixture)
        let balancer = try await LoadBalancer(pair[0], pair[1])
        let url = balancer.origin + "/live/video-360p.m3u8"
        async let watching = Audience.watch(url, viewers: 20, seconds: 20, lowLatency: true)
        _ = try await eventually(within: 30, "both have given parts") {
            LoadBalancer.Member.allCases.allSatisfy { balancer.segments(of: $0) >= 40 } ? true : nil
        }
        pair[0].program.kill()
        let audience = try await watching
        #expect(audience.failures == [], "\(pair[1].program.errors)")
        #expect(audience.isSmooth, "\(pair[1].program.errors)")
        await balancer.end()
        await pair[1].end()
    }
}
