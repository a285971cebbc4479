import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Caches in front of packagers: how much they spare them, and what they keep.
@Suite(.serialized) struct EdgeTests {
    private static let settings = [
        "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "20",
    ]

    private static func packager() async throws -> PackagerProcess {
        let packager = try await PackagerProcess(settings)
        _ = try await packager.mediaPlaylist("video-360p", "eight segments") { $0.segments.count >= 8 }
        return packager
    }

    /// Two packagers on one feed, both with something to play.
    private static func pair(_ fixture: PairFixture) async throws -> [PackagerProcess] {
        let own = ["--segment-duration": "1", "--window": "20"]
        let one = try await fixture.packager(0, own)
        let other = try await fixture.packager(1, own.merging(["--peer": one.origin]) { own, _ in own })
        for packager in [one, other] {
            _ = try await packager.mediaPlaylist("video-360p", "eight segments") { $0.segments.count >= 8 }
        }
        return [one, other]
    }

    private static func media(_ fetches: [Edge.Fetch]) -> [Edge.Fetch] {
        fetches.filter { $0.target.hasPrefix("/live/video-360p/") }
    }

    @Test(arguments: Edge.Kind.allCases)
    func anAudienceCostsOneRequestAnObject(kind: Edge.Kind) async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let audience = try await Audience.watch(edge.origin + "/live/video-360p.m3u8")
        #expect(audience.failures == [])
        #expect(audience.isSmooth, "\(audience)")
        #expect(audience.media >= 20)
        // The log is behind.
        let fetches = try await eventually(within: 5, "the log is whole") {
            let fetches = edge.fetches
            return Set(Self.media(fetches)).count >= audience.media ? fetches : nil
        }
        let media = Self.media(fetches)
        #expect(media.count == audience.media && media.allSatisfy { $0.status == 200 }, "\(media)")
        print("hit ratio:", 1 - Double(fetches.count) / Double(audience.requests))
        #expect(fetches.count * 100 < audience.requests, "\(fetches.count) of \(audience.requests)")
        await edge.end()
        await packager.end()
    }

    @Test(arguments: Edge.Kind.allCases)
    func aKilledPackagerIsNotNoticed(kind: Edge.Kind) async throws {
        let fixture = try PairFixture()
        let pair = try await Self.pair(fixture)
        let edge = try await Edge(kind, of: pair[0].origin, pair[1].origin)
        async let watching = Audience.watch(edge.origin + "/live/video-360p.m3u8", viewers: 40, seconds: 24)
        _ = try await eventually(within: 30, "they watch") {
            Self.media(edge.fetches).count >= 12 ? true : nil
        }
        pair[0].program.kill()
        let audience = try await watching
        #expect(audience.failures == [], "\(pair[1].program.errors)")
        #expect(audience.isSmooth, "\(pair[1].program.errors)")
        await edge.end()
        await pair[1].end()
    }

    @Test func aPageBehindVarnishDoesNotNoticeAKilledPackager() async throws {
        let fixture = try PairFixture()
        let pair = try await Self.pair(fixture)
        let edge = try await Edge(.varnish, of: pair[0].origin, pair[1].origin)
        async let playing = PlayerPage.play(edge.origin + "/live/", ["--minimum-advance", "20"])
        _ = try await eventually(within: 60, "it plays") {
            Self.media(edge.fetches).count >= 8 ? true : nil
        }
        pair[0].program.kill()
        let playback = try await playing
        #expect(playback.stalledSeconds == 0, "\(pair[1].program.errors)")
        #expect(playback.gapsJumped == 0, "\(pair[1].program.errors)")
        await edge.end()
        await pair[1].end()
    }

    private static func health(_ answer: HTTP.Answer) throws -> Int {
        try #require(answer.fields["x-packager-health"].flatMap { Int($0) }, "\(answer.fields)")
    }

    /// The segments that are gaps, by their URIs.
    private static func gaps(_ playlist: MediaPlaylist) -> Set<String> {
        Set(playlist.segments.filter(\.isGap).map(\.uri))
    }

    /// The first member is the one that both prefer.
    ///
    /// With the other one gone, what it has is better than nothing.
    @Test(arguments: Edge.Kind.ofLowLatency)
    func theHealthierMemberIsAsked(kind: Edge.Kind) async throws {
        let fixture = try PairFixture()
        let pair = try await Self.pair(fixture)
        let edge = try await Edge(kind, of: pair[0].origin, pair[1].origin)
        fixture.relay.set(.cut, to: 0)
        _ = try await eventually(within: 20, "it is hurt") {
            let answer = try await HTTP.get(pair[0].url("video-360p.m3u8"))
            return try Self.health(answer) < 75 ? true : nil
        }
        let newest = try await pair[1].mediaPlaylist("video-360p").mediaSequence.value
        _ = try await eventually(within: 20, "six more slots") {
            let answer = try await HTTP.get(edge.origin + "/live/video-360p.m3u8")
            #expect(answer.status == 200)
            let playlist = try MediaPlaylist(parsing: answer.text)
            return playlist.mediaSequence.value >= newest + 6 ? true : nil
        }
        let seen = try await HTTP.get(edge.origin + "/live/video-360p.m3u8")
        #expect(try Self.health(seen) >= 75)
        let gaps = Self.gaps(try MediaPlaylist(parsing: seen.text))
        let others = Self.gaps(try await pair[1].mediaPlaylist("video-360p"))
        #expect(gaps.isSubset(of: others), "\(pair[0].program.errors)\(pair[1].program.errors)")
        // Of the time before it was hurt, and nobody has fetched them yet.
        let kept = try await pair[0].mediaPlaylist("video-360p").segments.filter { !$0.isGap }
        try #require(!kept.isEmpty, "\(pair[0].program.errors)")
        pair[1].program.kill()
        _ = await pair[1].program.exitCode()
        for path in kept.map(\.uri) + ["audio-en.m3u8"] {
            let answer = try await HTTP.get("\(edge.origin)/live/\(path)")
            #expect(answer.status == 200, "\(path): \(pair[0].program.errors)")
            #expect(try Self.health(answer) < 75, "\(path)")
        }
        await edge.end()
        await pair[0].end()
    }

    /// A segment that is asked for too early is there as soon as it is listed.
    @Test(arguments: Edge.Kind.allCases)
    func anEarlyRequestIsForgotten(kind: Edge.Kind) async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let playlist = try await packager.mediaPlaylist("video-360p")
        let uri = try #require(playlist.segments.last?.uri)
        let number = playlist.mediaSequence.value + Int64(playlist.segments.count) - 1
        #expect(uri.contains("\(number)."))
        let next = uri.replacing("\(number).", with: "\(number + 3).")
        for _ in 0..<3 {
            // nginx has asked the other member, too, which is not there.
            #expect([404, 502].contains(try await HTTP.get("\(edge.origin)/live/\(next)").status))
        }
        _ = try await packager.mediaPlaylist("video-360p", "it is listed") { $0.segments.contains { $0.uri == next } }
        #expect(try await HTTP.get("\(edge.origin)/live/\(next)").status == 200)
        await edge.end()
        await packager.end()
    }

    /// CMCD, tokens and nonsense in a query are no other object, and no cookie is.
    @Test(arguments: Edge.Kind.allCases)
    func aViewersQueryIsNoOtherObject(kind: Edge.Kind) async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let playlist = try await packager.mediaPlaylist("video-360p")
        let uri = try #require(playlist.segments.last?.uri)
        for query in ["", "?CMCD=bl%3D4000", "?CMCD=bl%3D2000&token=secret", "?x"] {
            let cookie = ["Cookie": "viewer=\(query.count)"]
            #expect(try await HTTP.get("\(edge.origin)/live/\(uri)\(query)", fields: cookie).status == 200)
        }
        // The log is behind.
        _ = try await eventually(within: 5, "it is fetched") {
            edge.fetches.contains { $0.target.hasPrefix("/live/\(uri)") } ? true : nil
        }
        await edge.end()
        #expect(edge.fetches.count { $0.target.hasPrefix("/live/\(uri)") } == 1)
        await packager.end()
    }

    /// A filter, which leaves nothing here, is not answered with the playlist that all others get.
    @Test(arguments: Edge.Kind.allCases)
    func aChoiceIsAnotherObject(kind: Edge.Kind) async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(kind, of: packager.origin)
        let index = "\(edge.origin)/live/index.m3u8"
        for query in ["", "?CMCD=bl%3D4000", "?codec=h264"] {
            #expect(try await HTTP.get(index + query).status == 200, "\(query)")
        }
        for query in ["?codec=av1", "?CMCD=bl%3D4000&codec=av1"] {
            #expect([404, 502].contains(try await HTTP.get(index + query).status), "\(query)")
        }
        await edge.end()
        await packager.end()
    }

    /// Directives that a player or a stranger adds, and names without a value, change nothing for others.
    @Test(arguments: Edge.Kind.allCases)
    func directivesAreNoAnswerForOthers(kind: Edge.Kind) async throws {
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess(
            Self.settings + ["--part-duration", "0.5", "--record", directory.file("record")]
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "a full window") { $0.segments.count >= 20 }
        let edge = try await Edge(kind, of: packager.origin)
        let start = try #require(playlist.segments.first?.programDateTime).milliseconds / 1_000
        let past = "past/\(start)-/video-360p.m3u8"
        for (odd, plain) in [
            ("\(past)?_HLS_skip=YES", past), ("video-360p.m3u8?_HLS_part=0", "video-360p.m3u8"),
            ("video-360p.m3u8?_HLS_skip=YES", "video-360p.m3u8"), ("index.m3u8?start", "index.m3u8"),
        ] {
            _ = try await HTTP.get("\(edge.origin)/live/\(odd)")
            let answer = try await HTTP.get("\(edge.origin)/live/\(plain)")
            #expect(answer.status == 200 && !answer.text.contains("EXT-X-SKIP"), "after \(odd): \(answer.text)")
        }
        await edge.end()
        await packager.end()
    }

    /// HTTPS and HTTP/2, which low-latency players need: before packagers, and before a cache that speaks neither.
    @Test(arguments: ["haproxy.cfg", "edge/haproxy.cfg"])
    func haproxySpeaksHTTP2ToViewers(configuration: String) async throws {
        let packager = try await Self.packager()
        let edge = try await Edge(.varnish, of: packager.origin)
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("authority", in: directory)
        let address = "127.0.0.1:\(Ports.free())"
        let scheme = "http://"
        let proxy = try Program(
            "/usr/sbin/haproxy",
            ["-f", Repository.root.appending(path: "Config/\(configuration)").path],
            environment: [
                "LISTEN": address, "PACKAGER_A": String(packager.origin.dropFirst(scheme.count)),
                "PACKAGER_B": "127.0.0.1:\(Ports.free())", "CACHE": String(edge.origin.dropFirst(scheme.count)),
                "CERTIFICATE": try directory.write(await authority.certificate(of: "IP:127.0.0.1"), to: "site.pem"),
            ]
        )
        let command = ["-sS", "-o", directory.file("answer"), "-w", "%{http_version} %{http_code}"]
        let seen = try await eventually(within: 20, "HAProxy answers") {
            if !proxy.isRunning { throw Program.Failure(description: proxy.errors) }
            let url = "https://\(address)/live/index.m3u8"
            let seen = try await Program.run("curl", command + ["--cacert", authority.certificate, url])
            return seen.hasSuffix("200") ? seen : nil
        }
        #expect(seen == "2 200")
        proxy.terminate()
        await edge.end()
        await packager.end()
    }

    /// Members that encrypt nothing tell everybody who reaches them what is for their peer.
    @Test(arguments: Edge.Kind.allCases)
    func whatIsForPeersDoesNotPass(kind: Edge.Kind) async throws {
        let packager = try await PackagerProcess(Self.settings + ["--peer", "http://127.0.0.1:\(Ports.free())"])
        _ = try await packager.mediaPlaylist("video-360p", "a segment") { !$0.segments.isEmpty }
        let edge = try await Edge(kind, of: packager.origin)
        for path in ["window.json", "window%2Ejson", "%77indow.json?x", "health.json", "schedule.js%6Fn"] {
            #expect(try await HTTP.get("\(packager.origin)/live/\(path)").status == 200, "\(path) of a member")
            let status = try await HTTP.get("\(edge.origin)/live/\(path)").status
            #expect([403, 404].contains(status), "\(path): \(status)")
        }
        // A target without an end for those who compare ends.
        let target = ["--request-target", "/live/window.json#x", edge.origin]
        let status = try await Program.run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + target)
        #expect(["400", "403", "404"].contains(status), "\(status)")
        await edge.end()
        await packager.end()
    }
}
