import Foundation
import Playlists
import TestSupport
import Testing

/// Caches that verify the passes of viewers themselves.
@Suite(.serialized) struct TokenEdgeTests {
    private struct Stage {
        static let secret = String(repeating: "5a", count: 32)
        let packager: PackagerProcess
        let tokens: [String]
        let directory: TemporaryDirectory

        init(_ form: String) async throws {
            directory = try TemporaryDirectory()
            let claims: [TokenIssuer.Token] = [
                .init("shared"), .init("shared", ["exp": .number(7200)]),
            ]
            let issuer = try await TokenIssuer([.init("shared")], claims)
            tokens = issuer.tokens
            packager = try await PackagerProcess([
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "20", "--token-media",
                form,
                "--token-media-secret", directory.writeSecret(Self.secret, to: "secret"),
                "--token-keys", directory.write(issuer.jwks, to: "jwks.json"),
            ])
            let url = "\(packager.origin)/live/video-360p.m3u8?token=\(tokens[0])"
            _ = try await eventually(within: 30, "six segments") {
                let answer = try await HTTP.get(url)
                let playlist = answer.status == 200 ? try MediaPlaylist(parsing: answer.text) : nil
                return playlist.map(\.segments.count) ?? 0 >= 6 ? true : nil
            }
        }

        /// The beginning of paths that an origin sends a viewer to.
        func pass(of token: Int, at origin: String) async throws -> String {
            let url = "\(origin)/live/index.m3u8?token=\(tokens[token])"
            let place = try await Program.run("curl", ["-sS", "-o", "/dev/null", "-w", "%{redirect_url}", url])
            let match = try #require(
                place.firstMatch(of: #/:\d+(/t/[0-9a-f]{64}-\d+)/live/index\.m3u8\?token=/#),
                "\(place)"
            )
            return String(match.1)
        }

        /// One that somebody else makes who has the secret.
        static func pass(to channel: String, for seconds: Int) async throws -> String {
            let expires = Int(Date.now.timeIntervalSince1970) + seconds
            let message = Data("\(expires)/\(channel)".utf8).base64EncodedString()
            let command = "echo \(message) | base64 -d | openssl dgst -sha256 -hmac \(secret)"
            let output = try await Program.run("/bin/sh", ["-c", command])
            let code = try #require(output.split(separator: " ").last?.trimmingCharacters(in: .newlines))
            return "/t/\(code)-\(expires)"
        }

        /// The path of a segment that stays for a while.
        func segment(_ origin: String, _ pass: String) async throws -> String {
            let playlist = try MediaPlaylist(parsing: try await HTTP.get("\(origin)\(pass)/live/video-360p.m3u8").text)
            return "/live/\(try #require(playlist.segments.last?.uri))"
        }
    }

    @Test(arguments: Edge.Kind.ofPasses)
    func allPassesGetTheSameObject(kind: Edge.Kind) async throws {
        let stage = try await Stage("path")
        let edge = try await Edge(kind, of: stage.packager.origin, tokens: (Stage.secret, stage.tokens[0]))
        // The packager gives them; those of others who have the secret are as good.
        let passes = [
            try await stage.pass(of: 0, at: edge.origin), try await stage.pass(of: 1, at: edge.origin),
            try await Stage.pass(to: "live", for: 60),
        ]
        #expect(Set(passes).count == 3)
        let segment = try await stage.segment(edge.origin, passes[0])
        var bodies: Set<Data> = []
        for pass in passes {
            let answer = try await HTTP.get("\(edge.origin)\(pass)\(segment)?CMCD=bl%3D1")
            #expect(answer.status == 200, "\(answer.text)")
            bodies.insert(answer.body)
        }
        let cookie = ["Cookie": "a=b; packager_pass=\(passes[1].dropFirst(3)); c=d"]
        bodies.insert(try await HTTP.get("\(edge.origin)\(segment)", fields: cookie).body)
        #expect(bodies.count == 1)
        let fetches = try await Self.settled(edge)
        #expect(fetches.count { $0.target.hasPrefix(segment) } == 1, "\(fetches)")
        let audience = try await Audience.watch(
            "\(edge.origin)\(passes[1])/live/video-360p.m3u8",
            viewers: 20,
            seconds: 5
        )
        #expect(audience.failures == [] && audience.isSmooth)
        await edge.end()
        #expect(!edge.fetches.contains { $0.target.contains("/t/") })
        await stage.packager.end()
        #expect(
            !(stage.packager.program.errors + stage.packager.program.output).contains(passes[0].dropFirst(3).prefix(64))
        )
    }

    /// Passes that are good for nothing do not reach the packager.
    @Test(arguments: Edge.Kind.ofPasses)
    func othersAreRefused(kind: Edge.Kind) async throws {
        let stage = try await Stage("path")
        let edge = try await Edge(kind, of: stage.packager.origin, tokens: (Stage.secret, stage.tokens[0]))
        let pass = try await stage.pass(of: 0, at: edge.origin)
        let segment = try await stage.segment(edge.origin, pass)
        #expect(try await HTTP.get("\(edge.origin)\(pass)\(segment)").status == 200)
        let missing = try await HTTP.get(edge.origin + segment)
        #expect(missing.status == 401 && missing.text.contains("token-missing"), "the packager says so")
        #expect(try await HTTP.get("\(edge.origin)\(segment)?token=\(stage.tokens[0])").status == 200)
        let forged = pass.prefix(10) + (pass.dropFirst(10).first == "0" ? "1" : "0") + pass.dropFirst(11)
        let refusals: [(String, Int)] = [
            (String(forged), 403), (try await Stage.pass(to: "other", for: 60), 403),
            (try await Stage.pass(to: "live", for: -1), 401), ("\(pass)0", 403),
        ]
        let before = try await Self.settled(edge)
        for (pass, status) in refusals {
            for path in [segment, "/live/index.m3u8", "/live/video-360p.m3u8"] {
                let answer = try await HTTP.get("\(edge.origin)\(pass)\(path)?token=\(stage.tokens[0])")
                #expect(answer.status == status, "\(path)")
                #expect(answer.fields["access-control-allow-origin"] == "*")
            }
            let cookie = ["Cookie": "packager_pass=\(pass.dropFirst(3))"]
            #expect(try await HTTP.get(edge.origin + segment, fields: cookie).status == status)
        }
        #expect(try await Self.settled(edge).dropFirst(before.count).allSatisfy { $0.target.hasPrefix("/none") })
        // What peers tell each other does not pass with one either.
        for path in ["window.json", "window%2Ejson"] {
            #expect([403, 404].contains(try await HTTP.get("\(edge.origin)\(pass)/live/\(path)").status))
        }
        #expect(try await HTTP.get("\(edge.origin)/live/").status == 200, "the page needs none")
        await edge.end()
        await stage.packager.end()
    }

    /// The fetches, once the log has caught up.
    private static func settled(_ edge: Edge) async throws -> [Edge.Fetch] {
        let mark = "/none-\(UUID().uuidString)"
        _ = try await HTTP.get(edge.origin + mark)
        return try await eventually(within: 5, "the log is whole") {
            let fetches = edge.fetches
            return fetches.contains { $0.target == mark[...] } ? fetches : nil
        }
    }

    @Test(arguments: Edge.Kind.ofPasses)
    func aCookieOfThePackagerIsTaken(kind: Edge.Kind) async throws {
        let stage = try await Stage("cookie")
        let edge = try await Edge(kind, of: stage.packager.origin, tokens: (Stage.secret, stage.tokens[0]))
        let answer = try await HTTP.get("\(edge.origin)/live/index.m3u8?token=\(stage.tokens[0])")
        #expect(answer.status == 200)
        let cookie = try #require(answer.fields["set-cookie"]?.prefix { $0 != ";" })
        let other = try await HTTP.get("\(edge.origin)/live/index.m3u8", fields: ["Cookie": String(cookie)])
        #expect(other.status == 200 && other.fields["set-cookie"] == nil && other.text == answer.text)
        #expect(try await HTTP.get("\(edge.origin)/live/index.m3u8").status == 401, "it was kept for others")
        // One of before another secret, or that has expired, with a token that has not.
        for old in [try await Stage.pass(to: "other", for: 60), try await Stage.pass(to: "live", for: -1)] {
            let fields = ["Cookie": "packager_pass=\(old.dropFirst(3))"]
            #expect([401, 403].contains(try await HTTP.get("\(edge.origin)/live/index.m3u8", fields: fields).status))
            let renewed = try await HTTP.get("\(edge.origin)/live/index.m3u8?token=\(stage.tokens[0])", fields: fields)
            #expect(renewed.status == 200 && renewed.fields["set-cookie"] != nil)
        }
        await edge.end()
        await stage.packager.end()
    }
}
