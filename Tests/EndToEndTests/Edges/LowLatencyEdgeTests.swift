import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Low latency through caches and proxies: nobody waits longer than without, and a packager is asked once.
@Suite(.serialized) struct LowLatencyEdgeTests {
    /// Each reload and each part waits once at the packager, however many players wait for it.
    @Test(arguments: Edge.Kind.ofLowLatency)
    func anAudienceCostsOneRequestAnObject(kind: Edge.Kind) async throws {
        let packager = try await LowLatencyStage.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let audience = try await Audience.watch(
            edge.origin + "/live/video-360p.m3u8",
            lowLatency: true,
            beside: packager.url("video-360p.m3u8")
        )
        let direct = try #require(audience.beside)
        #expect(audience.failures == [] && direct.failures == [])
        #expect(audience.isSmooth && direct.isSmooth)
        #expect(audience.early == 0 && direct.early == 0, "Media3 would ask at once again")
        let (lag, without) = (try #require(audience.lag), try #require(direct.lag))
        #expect(lag < without + LowLatencyStage.partDuration / 2, "it comes no later than without a cache")
        // The log is behind.
        let fetches = try await eventually(within: 5, "the log is whole") {
            let fetches = edge.fetches
            return Set(fetches.filter { $0.target.hasSuffix(".m4s") }).count >= audience.media ? fetches : nil
        }
        let waited = fetches.filter { fetch in
            LowLatencyStage.isOfVideo(fetch) && (fetch.target.contains("_HLS_msn") || fetch.target.hasSuffix(".m4s"))
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
    @Test(arguments: Edge.Kind.ofLowLatency)
    func aKilledPackagerIsNotNoticed(kind: Edge.Kind) async throws {
        let fixture = try PairFixture()
        let pair = try await LowLatencyStage.pair(fixture)
        let edge = try await Edge(kind, of: pair[0].origin, pair[1].origin)
        async let watching = Audience.watch(
            edge.origin + "/live/video-360p.m3u8",
            viewers: 50,
            seconds: 20,
            lowLatency: true
        )
        _ = try await eventually(within: 30, "they watch") {
            edge.fetches.count { LowLatencyStage.isOfVideo($0) } >= 20 ? true : nil
        }
        pair[0].program.kill()
        let audience = try await watching
        #expect(audience.failures == [], "\(pair[1].program.errors)")
        #expect(audience.isSmooth, "\(pair[1].program.errors)")
        await edge.end()
        await pair[1].end()
    }

    /// The order of directives, and what else stands in the query, make no other object.
    @Test(arguments: Edge.Kind.ofLowLatency)
    func aReloadIsOneObjectHoweverItIsSpelled(kind: Edge.Kind) async throws {
        let packager = try await LowLatencyStage.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let number = LowLatencyStage.next(try await packager.mediaPlaylist("video-360p"))
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
}
