import Foundation
import Playlists
import TestSupport
import Testing

/// Clients of HTTP/1.1 that mean harm, at each listener, while others are served.
@Suite struct PlainFloodTests {
    private struct Attack: Decodable {
        var attack: String
        /// Connections that were opened, and those of them that the server ended.
        var opened: Int
        var cut: Int
        /// First statuses of those.
        var statuses: [String: Int]
        /// Requests of somebody else, and those that got no answer.
        var asked: Int
        var failures: Int
        /// Milliseconds that 99 of a hundred of these took at most.
        var p99: Int
        /// Megabytes that the server took meanwhile.
        var memory: Int
    }

    private struct Form: Decodable {
        var form: String
        var statuses: [String]
    }

    private struct Listener {
        var name: String
        var port: Int
        var arguments: [String]
    }

    private static func port(_ word: String, of packager: PackagerProcess) throws -> Int {
        try #require(URL(string: try packager.address(word))?.port)
    }

    /// The origin with its keys, and the control API.
    @Test func whoFloodsHoldsNobodyUp() async throws {
        let packager = try await Self.start([])
        try await Self.flood(
            packager,
            [
                Listener(
                    name: "control API",
                    port: try Self.port("control", of: packager),
                    arguments: ["--path", "/healthz", "--posted", "/channels/live/select", "--big", "/operator.js"]
                ),
                Listener(
                    name: "origin",
                    port: try Self.port("listening", of: packager),
                    arguments: [
                        "--path", "/live/index.m3u8", "--posted", "/live/clearkey", "--big", "/live/video-180p.m3u8",
                    ]
                ),
            ]
        )
    }

    @Test func whoFloodsTheKeysHoldsNobodyUp() async throws {
        let packager = try await Self.start(["--keys-listen", "127.0.0.1:0"])
        try await Self.flood(
            packager,
            [
                Listener(
                    name: "keys",
                    port: try Self.port("keys", of: packager),
                    arguments: ["--path", "/live/keys.json", "--posted", "/live/clearkey", "--big", "/live/keys.json"]
                )
            ]
        )
    }

    private static func start(_ more: [String]) async throws -> PackagerProcess {
        let packager = try await PackagerProcess(
            ["--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128"] + more
        )
        _ = try await packager.mediaPlaylist("video-180p", "three segments") { $0.segments.count >= 3 }
        return packager
    }

    private static func flood(_ packager: PackagerProcess, _ listeners: [Listener]) async throws {
        for listener in listeners {
            let output = try await Program.run(
                Repository.python,
                [Repository.script("EndToEndTests/Security/http1_floods.py"), "\(listener.port)"]
                    + ["--process", "\(packager.program.identifier)"] + listener.arguments
            )
            let lines = output.split(separator: "\n").map { Data($0.utf8) }
            let attacks = lines.compactMap { try? JSONDecoder().decode(Attack.self, from: $0) }
            let forms = lines.compactMap { try? JSONDecoder().decode(Form.self, from: $0) }
            #expect(attacks.count == 14 && forms.count == 20 && lines.count == 34)
            for attack in attacks { try Self.check(attack, at: listener.name) }
            for form in forms {
                // RFC 9112 § 11.2. Nothing after such a request is read, since it may be of somebody else.
                #expect(form.statuses == ["400"], "\(listener.name): \(form)")
            }
        }
        // How the limits were reached, once for each listener and limit, and nothing of single connections.
        let warnings = packager.program.errors.split(separator: "\n").filter { $0.contains("limit of connections") }
        #expect(warnings.count <= 12, "\(warnings)")
        #expect(try await HTTP.get(packager.url("index.m3u8")).status == 200)
        #expect(await packager.end() == 0)
    }

    private static func check(_ attack: Attack, at listener: String) throws {
        let words = [
            listener, attack.attack, "opened \(attack.opened)", "cut \(attack.cut)", "statuses \(attack.statuses)",
            "others \(attack.asked), \(attack.failures) failed, p99 \(attack.p99) ms", "\(attack.memory) MB",
        ]
        print(words.joined(separator: " | "))
        #expect(attack.failures == 0, "\(listener): \(attack)")
        #expect(attack.asked > 0, "\(listener): \(attack)")
        // Far less than what a few hundred clients sent, or had sent.
        #expect(attack.memory < 150, "\(listener): \(attack)")
        let statuses = [
            "long field": "431", "many fields": "431", "long target": "431", "slow body": "408", "long body": "413",
        ]
        if let status = statuses[attack.attack] {
            #expect(attack.statuses[status, default: 0] > 0, "\(listener): \(attack)")
        }
    }
}
