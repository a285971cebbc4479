import Foundation
import Playlists
import TestSupport
import Testing

/// Content steering between the members of a pair.
@Suite(.serialized) struct SteeringPlayersTests {
    private static let ttl = 5.0

    /// By `Browser/steering.py`.
    private struct Seen: Decodable {
        struct Manifest: Decodable {
            /// Seconds since 1970.
            var time: Double
            var host: String
            var priority: [String]
        }

        struct Segment: Decodable {
            var time: Double
            var host: String
        }

        var manifests: [Manifest]
        var segments: [Segment]
        var problems: [String]
    }

    /// Two packagers on one feed that are each other's pathways, both with something to play.
    private static func pair(
        _ fixture: PairFixture,
        in directory: TemporaryDirectory
    ) async throws -> (packagers: [PackagerProcess], hosts: [String]) {
        let ports = [Ports.free(), Ports.free()]
        let hosts = ports.map { "127.0.0.1:\($0)" }
        let configuration = try directory.write(
            """
            steering:
              - { id: a, url: "http://\(hosts[0])" }
              - { id: b, url: "http://\(hosts[1])" }
            steering-ttl: \(Int(ttl))
            """,
            to: "packager.yaml"
        )
        var packagers: [PackagerProcess] = []
        for (receiver, port) in ports.enumerated() {
            packagers.append(
                try await PackagerProcess(
                    [
                        "--config", configuration, "--input", fixture.feed(of: receiver), "--clock", "pts",
                        "--segment-duration", "\(PairFixture.slotDuration)", "--window", "20", "--access-log", "-",
                    ],
                    port: port
                )
            )
        }
        for packager in packagers {
            _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        }
        return (packagers, hosts)
    }

    private static func manifest(_ packager: PackagerProcess) async throws -> SteeringManifest {
        try JSONDecoder().decode(SteeringManifest.self, from: try await HTTP.body(packager.url("steering.json")))
    }

    /// A cache goes on to give out the last playlists of packagers that are dead, and says that all is well.
    @Test func pathwayWithOldPlaylistsIsDead() async throws {
        let directory = try TemporaryDirectory()
        let (port, own) = (Ports.free(), Ports.free())
        let configuration = try directory.write(
            """
            steering:
              - { id: a, url: "http://127.0.0.1:\(port)" }
              - { id: b, url: "http://127.0.0.1:\(own)" }
            steering-ttl: 10
            """,
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(
            ["--config", configuration, "--input", Repository.smallFeed, "--loop", "--segment-duration", "1"],
            port: own
        )
        let playlist = try await packager.mediaPlaylist("video-180p", "a few segments") { $0.segments.count >= 3 }
        let folder = directory.file("old/live")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["index.m3u8", "video-180p.m3u8"] {
            try Data(try await packager.text(name).utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        let server = try Program(
            Repository.python,
            ["-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", directory.file("old")]
        )
        func order(_ what: String, _ isMet: @escaping @Sendable ([String]) -> Bool) async throws {
            _ = try await eventually(within: 30, what) {
                isMet(try await Self.manifest(packager).priority) ? true : nil
            }
        }
        try await order("it is well at first") { $0.first == "a" }
        try await order("its playlist has been the same for too long") { $0.first != "a" }
        #expect(packager.program.errors.contains("no new segment for"), "\(packager.program.errors)")
        #expect(!playlist.isEnded)
        server.kill()
        await packager.end()
    }

    /// The feed of the first member is cut while hls.js plays from it.
    @Test func hlsJSLeavesAMemberThatSickensWithinOneTTL() async throws {
        let directory = try TemporaryDirectory()
        let fixture = try PairFixture()
        let (pair, hosts) = try await Self.pair(fixture, in: directory)
        // Each has taken both for dead while they had nothing to play.
        _ = try await eventually(within: 30, "both have had each other's playlists") {
            let isAsked = pair.allSatisfy { packager in
                packager.program.output.split(separator: "\n").count {
                    $0.contains("\"GET /live/index.m3u8 HTTP/1.1\" 200")
                } >= 6
            }
            guard isAsked else { return Bool?.none }
            return try await Self.manifest(pair[0]).priority == ["a", "b", "."] ? true : nil
        }
        let check = try Program(Repository.packager, ["check", pair[0].url("index.m3u8"), "--duration", "2"])
        #expect(await check.exitCode() == 0, "\(check.output)")
        let player = try Program(
            Repository.python,
            [Repository.script("EndToEndTests/Browser/steering.py"), pair[0].url("index.m3u8"), hosts[0], hosts[1]]
        )
        _ = try await eventually(within: 90, "it plays") {
            player.errors.contains("plays") || !player.isRunning ? true : nil
        }
        fixture.relay.set(.cut, to: 0)
        _ = try await eventually(within: 20, "the first member is hurt") {
            let answer = try await HTTP.get(pair[0].url("index.m3u8"))
            return answer.fields["x-packager-health"].flatMap { Int($0) }.map { $0 < 75 } == true ? true : nil
        }
        let sick = Date.now.timeIntervalSince1970
        _ = await player.exitCode()
        let seen = try JSONDecoder().decode(Seen.self, from: Data(player.output.utf8))
        #expect(seen.problems == [], "\(pair[0].program.errors)\(pair[1].program.errors)")
        let told = try #require(seen.manifests.first { $0.priority.first == "b" }, "\(seen.manifests)")
        let moved = try #require(seen.segments.first { $0.host == hosts[1] })
        // A second until the packager has asked, and one in which a cache has the manifest; then segments are due.
        #expect(told.time - sick < Self.ttl + 3, "\(seen.manifests)")
        #expect(moved.time - told.time < 2 * Double(PairFixture.slotDuration) + 2)
        #expect(pair[1].program.errors.contains("pathway unhealthy"))
        for packager in pair { await packager.end() }
    }
}
