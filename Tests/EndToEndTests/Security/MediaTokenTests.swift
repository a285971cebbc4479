import Foundation
import Playlists
import TestSupport
import Testing

/// Tokens for playlists and segments, at the real program.
@Suite(.serialized) struct MediaTokenTests {
    private static func options(
        _ form: String,
        _ issuer: TokenIssuer,
        in directory: TemporaryDirectory
    ) throws -> [String] {
        [
            "--token-media", form, "--token-media-secret",
            try directory.writeSecret(String(repeating: "5a", count: 32), to: "pass-secret"), "--token-keys",
            try directory.write(issuer.jwks, to: "jwks.json"),
        ]
    }

    /// Waits for segments as a viewer with a token.
    private static func wait(
        for count: Int,
        at packager: PackagerProcess,
        _ rendition: String,
        _ token: String
    ) async throws {
        let url = packager.url("\(rendition).m3u8?token=\(token)")
        _ = try await eventually(within: 40, "\(count) segments") {
            let answer = try await HTTP.get(url)
            guard answer.status == 200 else { return Bool?.none }
            return try MediaPlaylist(parsing: answer.text).segments.count >= count ? true : nil
        }
    }

    /// The pass comes by the path or by a cookie; keys need the token as well.
    @Test func thePagePlaysWithAToken() async throws {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer([.init("shared")], [.init()])
        var packagers: [PackagerProcess] = []
        for (form, encryption) in [("path", "aes-128"), ("cookie", "sample-aes")] {
            packagers.append(
                try await PackagerProcess(
                    [
                        "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
                        "--encryption",
                        encryption, "--key-rotation", "4", "--playlist-variables",
                    ] + Self.options(form, issuer, in: directory)
                )
            )
        }
        for packager in packagers { try await Self.wait(for: 6, at: packager, "video-360p", issuer.tokens[0]) }
        try await PlayerPage.play(
            packagers.map { $0.url("?token=\(issuer.tokens[0])") },
            ["--minimum-advance", "6", "--min-periods", "2"]
        )
        for packager in packagers {
            let said = packager.program.errors + packager.program.output
            #expect(said.contains("media request"))
            #expect(!said.contains(issuer.tokens[0].suffix(16)), "tokens stay out of the log")
            #expect(said.firstMatch(of: /[0-9a-f]{64}-[0-9]{10}/) == nil, "and so do passes")
            await packager.end()
        }
    }

    @Test func playersAndCheckersTakeTheAddressThatTheyAreSentTo() async throws {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer([.init("shared")], [.init(), .init("shared", ["exp": .number(-1)])])
        let packager = try await PackagerProcess(
            ["--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--access-log", "-"]
                + Self.options("path", issuer, in: directory)
        )
        try await Self.wait(for: 6, at: packager, "video-180p", issuer.tokens[0])
        let url = packager.url("index.m3u8?token=\(issuer.tokens[0])")
        try await Program.run("/usr/bin/ffmpeg", ["-v", "error", "-i", url, "-t", "2", "-f", "null", "-"])
        let check = try Program(Repository.packager, ["check", url, "--duration", "3"])
        #expect(await check.exitCode() == 0, "\(check.output)")
        let refused = try await HTTP.get(packager.url("index.m3u8?token=\(issuer.tokens[1])"))
        #expect(refused.status == 401 && refused.text.contains("\"error\":\"token-expired\""))
        #expect(try await HTTP.get(packager.url("index.m3u8")).status == 401)
        #expect(try await HTTP.get(packager.url("index.m3u8"), method: "HEAD").status == 200)
        await packager.end()
        #expect(packager.program.output.contains("\"GET /live/video-180p"))
        #expect(!packager.program.output.contains("/t/"), "no pass is in the log")
    }

    /// A member that begins later takes over the segments of the other, which nobody has without a pass.
    @Test func membersOfAPairTakeOverMedia() async throws {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer([.init("shared")], [.init()])
        let fixture = try PairFixture()
        let options = try Self.options("path", issuer, in: directory)
        let own = Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: options.count, by: 2).map { (options[$0], options[$0 + 1]) }
        )
        let one = try await fixture.packager(0, own)
        try await Self.wait(for: 3, at: one, "video-360p", issuer.tokens[0])
        let token = "?token=\(issuer.tokens[0])"
        let playlist = try MediaPlaylist(parsing: try await one.text("video-360p.m3u8\(token)"))
        let old = try #require(playlist.segments.first { !$0.isGap }?.uri)
        let other = try await fixture.packager(1, own.merging(["--peer": one.origin]) { own, _ in own })
        let body = try await eventually(within: 20, "the other has it") {
            let answer = try await HTTP.get(other.url("\(old)\(token)"))
            return answer.status == 200 ? answer.body : nil
        }
        #expect(body == (try await HTTP.body(one.url("\(old)\(token)"))))
        for packager in [one, other] { await packager.end() }
    }
}
