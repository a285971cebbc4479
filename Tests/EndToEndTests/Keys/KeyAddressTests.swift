import Foundation
import Playlists
import TestSupport
import Testing

/// Playlists that say where keys are, and pass a viewer's token on.
@Suite struct KeyAddressTests {
    /// A packager with keys at an address of their own, and a token for its channel.
    private static func packager(_ arguments: [String]) async throws -> (packager: PackagerProcess, token: String) {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer([.init("shared")], [.init()])
        let file = try directory.write(issuer.jwks, to: "jwks.json")
        let address = "127.0.0.1:\(Ports.free())"
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
                "--keys-listen", address, "--key-url", "http://\(address)", "--token-keys", file,
                "--playlist-variables", "--key-rotation", "4", "--key-hint", "identity",
            ] + arguments
        )
        return (packager, issuer.tokens[0])
    }

    @Test func thePageTakesItsTokenToTheKeys() async throws {
        let encryptions = [
            ["--encryption", "aes-128"], ["--encryption", "sample-aes"],
            ["--encryption", "sample-aes", "--drm", "clearkey", "--key-hint", "clearkey"],
        ]
        var channels: [(packager: PackagerProcess, token: String)] = []
        for encryption in encryptions { channels.append(try await Self.packager(encryption)) }
        for (packager, _) in channels {
            _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        }
        try await PlayerPage.play(
            channels.map { $0.packager.url("?token=\($0.token)") },
            ["--minimum-advance", "6", "--min-periods", "2"]
        )
        for (packager, token) in channels {
            #expect(!packager.program.errors.contains(token.suffix(16)), "tokens stay out of the log")
            await packager.end()
        }
    }

    @Test func playlistsAreTheSameForAll() async throws {
        let (packager, token) = try await Self.packager(["--encryption", "aes-128"])
        let playlist = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let index = try await packager.text("index.m3u8?token=\(token)")
        let plain = try MultivariantPlaylist(parsing: await packager.text("index.m3u8"))
        #expect(try MultivariantPlaylist(parsing: index).variables == plain.variables)
        #expect(index.hasPrefix("#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:NAME=\"key-url\",VALUE=\"http://127.0.0.1:"))
        #expect(index.contains("\n#EXT-X-DEFINE:QUERYPARAM=\"token\"\n"))
        #expect(!index.contains(token))
        let key = try #require(playlist.segments.last?.keys.first?.uri)
        #expect(key.hasPrefix("http://127.0.0.1:") && key.hasSuffix("?token={$token}"))
        #expect(try await HTTP.body(key.replacing("{$token}", with: token)).count == 16)
        let schedule = try await packager.text("keys.json").replacing("\\/", with: "/")
        let base = try #require(key.split(separator: "/keys/").first)
        #expect(schedule.contains("\"\(base)/keys/") && schedule.contains("\"\(base)/clearkey?token={$token}\""))
        let checked = try await Program.run(
            Repository.packager,
            ["check", "\(packager.origin)/live/index.m3u8?token=\(token)", "--duration", "3"]
        )
        #expect(!checked.contains("encrypted"), "it has the keys: \(checked)")
        await packager.end()
    }

    @Test func withoutVariablesTheAddressIsInEachURI() async throws {
        let port = Ports.free()
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
            "--keys-listen", "127.0.0.1:\(port)", "--key-url", "http://127.0.0.1:\(port)/",
        ])
        let playlist = try await packager.mediaPlaylist("video-180p", "a few segments") { $0.segments.count >= 3 }
        let text = try await packager.text("video-180p.m3u8")
        #expect(text.contains("URI=\"http://127.0.0.1:\(port)/live/keys/") && !text.contains("EXT-X-DEFINE"))
        let key = try #require(playlist.segments.last?.keys.first?.uri)
        #expect(try await HTTP.body(key).count == 16)
        // Nobody needs a proxy.
        try await Program.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-i", packager.url("video-180p.m3u8"), "-t", "2", "-f", "null", "-"]
        )
        await packager.end()
    }
}
