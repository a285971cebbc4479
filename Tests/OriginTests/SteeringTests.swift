import Foundation
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Testing

@testable import Origin

/// Players that are steered to the pathway that does well.
@Suite struct SteeringTests {
    private static func steering(ttl: Int = 30) -> ChannelSteering {
        ChannelSteering(
            [.init(id: "a", url: "https://a.example.com"), .init(id: "b", url: "http://b.example.com:8080")],
            ttl: ttl,
            channel: "live"
        )
    }

    private static func server(_ steering: ChannelSteering?, now: MediaTime = Fixture.now) throws -> OriginServer {
        var configuration = Fixture.configuration(name: "live")
        configuration.steering = steering.map { _ in ChannelSteering.tag }
        let presentation = Presentation(configuration: configuration, texts: .inline)
        try Fixture.publish(in: presentation)
        var channel = OriginChannel(name: "live", presentation: presentation)
        channel.steering = steering
        return OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel],
            now: { now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
    }

    private static func manifest(_ answer: Answer) throws -> SteeringManifest {
        try JSONDecoder().decode(SteeringManifest.self, from: Data(answer.body.readableBytesView))
    }

    // MARK: Answers

    @Test func thePlaylistNamesTheServer() throws {
        let text = String(buffer: try Self.server(Self.steering()).fetch("/live/index.m3u8").body)
        let playlist = try MultivariantPlaylist(parsing: text)
        #expect(playlist.steering == .init(serverURI: "steering.json", pathwayID: "."))
        #expect(text.contains(",STABLE-VARIANT-ID=\"video-1080p.audio\",PATHWAY-ID=\".\","), "\(text)")
        let other = String(buffer: try Self.server(nil).fetch("/live/index.m3u8").body)
        #expect(!other.contains("STEERING") && !other.contains("PATHWAY"))
    }

    @Test func theManifestHasAllPathways() throws {
        let steering = Self.steering()
        let server = try Self.server(steering)
        let answer = server.fetch("/live/steering.json?_HLS_pathway=%22.%22&_HLS_throughput=5140000")
        #expect(answer.status == .ok && answer.fields["Content-Type"] == ["application/vnd.apple.steering-list"])
        #expect(answer.fields["Cache-Control"] == ["public, max-age=1"])
        #expect(
            String(buffer: answer.body)
                == #"{"PATHWAY-CLONES":[{"BASE-ID":".","ID":"a","URI-REPLACEMENT":{"HOST":"a.example.com"}},"#
                + #"{"BASE-ID":".","ID":"b","URI-REPLACEMENT":{"HOST":"b.example.com:8080"}}],"PATHWAY-PRIORITY":["a","b","."],"#
                + #""RELOAD-URI":"https://a.example.com/live/steering.json","TTL":30,"VERSION":1}"#
        )
        #expect(try Self.manifest(answer).problems(forPathways: ["."]) == [])
        #expect(steering.observed(.health(0), of: PathwayIndex(0), at: .zero)?.condition == .poor)
        let moved = try Self.manifest(server.fetch("/live/steering.json"))
        #expect(moved.priority == ["b", "a", "."] && moved.reloadURI == "http://b.example.com:8080/live/steering.json")
    }

    /// Nothing answers anywhere: players ask again where they have asked.
    @Test func aDeadPathwayIsNotAskedForTheManifest() throws {
        let steering = Self.steering()
        for index in [0, 1, 0, 1] { _ = steering.observed(.nothing, of: PathwayIndex(index), at: .zero) }
        let manifest = try Self.manifest(try Self.server(steering).fetch("/live/steering.json"))
        #expect(manifest.reloadURI == nil && manifest.priority == ["a", "b", "."])
    }

    /// RFC 8216bis § 7.1: 410 ends steering; other statuses do not.
    @Test func whereThereAreNoPathwaysPlayersAskNoMore() throws {
        let server = try Self.server(nil)
        let answer = server.fetch("/live/steering.json")
        #expect(answer.status == .gone && answer.fields["Cache-Control"] == ["no-store"])
        #expect(server.fetch("/none/steering.json").status == .notFound)
    }

    @Test func aFloodIsToldToWait() throws {
        let server = try Self.server(Self.steering())
        func ask(_ client: Int) -> Answer {
            server.responder.answer(to: Request(.GET, "/live/steering.json", client: client))
        }
        // One client leaves half of them to others.
        for client in [1, 2] {
            for _ in 0..<ChannelSteering.mostRequests / 2 { #expect(ask(client).status == .ok) }
            #expect(ask(client).status == .tooManyRequests)
        }
        let answer = ask(3)
        #expect(answer.status == .tooManyRequests && answer.fields["Cache-Control"] == ["no-store"])
        let seconds = try #require(answer.fields.first(name: "Retry-After").flatMap { Int($0) })
        #expect((30...60).contains(seconds))
    }

    // MARK: Players

    /// A player as RFC 8216bis § 7.4 has it, second by second.
    private struct Player {
        var pathway = "."
        var host = "a.example.com"
        var reload = "steering.json"
        var due: Int
        var isSteered = true
        private var clones: [String: String] = [:]
        /// The hosts that it asked for media, by second.
        var asked: [String] = []

        init(beginning second: Int) { due = second }

        mutating func pass(_ second: Int, _ answer: (_ host: String) -> Answer) throws {
            if isSteered, second >= due {
                let answer = answer(host)
                switch answer.status {
                case .ok: try follow(SteeringTests.manifest(answer), at: second)
                case .gone: isSteered = false
                case .tooManyRequests:
                    due = second + (answer.fields.first(name: "Retry-After").flatMap { Int($0) } ?? 0)
                default: due = second + 300
                }
            }
            asked.append(clones[pathway] ?? "a.example.com")
        }

        private mutating func follow(_ manifest: SteeringManifest, at second: Int) throws {
            due = second + manifest.ttl
            for clone in manifest.clones ?? [] where clone.baseID == "." { clones[clone.id] = clone.replacement.host }
            let known = Set(clones.keys).union(["."])
            pathway = try #require(manifest.priority.first { known.contains($0) })
            if let reload = manifest.reloadURI { host = String(reload.split(separator: "/")[1]) }
        }
    }

    /// Whenever in its TTL a player has asked, it leaves an origin that sickens within one TTL, and comes back once
    /// that has done well for twice the TTL.
    @Test(arguments: [5, 30, 60])
    func playersLeaveASickOriginWithinOneTTL(ttl: Int) throws {
        let steering = Self.steering(ttl: ttl)
        let server = try Self.server(steering)
        var players = (0..<ttl).map { Player(beginning: $0) }
        let (sick, well) = (10 * ttl, 20 * ttl)
        let probation = max(30, 2 * ttl)
        for second in 0..<(well + probation + 2 * ttl + 2) {
            let health = (sick..<well).contains(second) ? 40 : 100
            for (index, health) in [health, 100].enumerated() {
                _ = steering.observed(.health(health), of: PathwayIndex(index), at: MediaTime(seconds: Int64(second)))
            }
            for index in players.indices {
                try players[index].pass(second) { _ in server.fetch("/live/steering.json") }
            }
        }
        for player in players {
            #expect(player.asked[..<sick].allSatisfy { $0 == "a.example.com" })
            #expect(player.asked[(sick + ttl)..<well].allSatisfy { $0 == "b.example.com:8080" })
            #expect(player.asked[well..<(well + probation)].allSatisfy { $0 == "b.example.com:8080" }, "not to and fro")
            #expect(player.asked.last == "a.example.com")
            #expect(player.host == "a.example.com", "it asks for the manifest where it plays")
        }
    }

    @Test func playersThatAreToldToStopStayWhereTheyAre() throws {
        let (with, without) = (try Self.server(Self.steering(ttl: 5)), try Self.server(nil))
        var player = Player(beginning: 0)
        for second in 0..<20 {
            try player.pass(second) { _ in (second < 8 ? with : without).fetch("/live/steering.json") }
        }
        #expect(!player.isSteered && player.asked.allSatisfy { $0 == "a.example.com" })
    }
}
