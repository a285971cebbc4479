import Foundation
import Playlists
import TestSupport
import Testing

/// A device in Python at the real program, whose plug-in is that of the tests.
@Suite struct FairPlayEndpointTests {
    private struct License: Decodable {
        var contentKey: String
        var fields: [String: String]
    }

    private struct Secrets: Decodable {
        var spc: String
    }

    /// TLLV of the duration of a key.
    private static let keyDuration = "47acf6a418cd091a"

    @Test func aDeviceGetsTheKeyThatThePlaylistNames() async throws {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer(
            [.init("shared")],
            [
                .init("shared", ["lease": .number(90)]), .init("shared", ["lease": .number(0)]),
                .init("shared", ["exp": .number(-1)]),
            ]
        )
        let credentials = Repository.root.appending(path: "Tests/FairPlaySupport/Credentials").path
        let certificate = "\(credentials)/2048.cer"
        let provisioning = "provisioning data of the tests"
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "sample-aes",
            "--drm", "fairplay", "--identity-key", "--token-keys", directory.write(issuer.jwks, to: "jwks.json"),
            "--fairplay-certificate", certificate, "--fairplay-private-key", "\(credentials)/2048.pem",
            "--fairplay-provisioning", directory.write(Data(provisioning.utf8), to: "provisioning"),
            "--fairplay-provider", Repository.built("libFairPlayTestProvider.so"),
            "--key-lease", "120",
        ])
        let playlist = try await packager.mediaPlaylist("video-180p", "a few segments") { $0.segments.count >= 3 }
        let keys = try #require(playlist.segments.last?.keys)
        let asset = try #require(keys.first { $0.keyFormat == "com.apple.streamingkeydelivery" }?.uri)
        #expect(asset.hasPrefix("skd://"))
        let identity = try #require(keys.identity?.uri)
        let key = try await HTTP.body(packager.url("\(identity)?token=\(issuer.tokens[0])"))

        let script = Repository.script("FairPlayTests/device.py")
        let made = try await Program.run(Repository.python, [script, "make", "2", certificate, provisioning, asset])
        let secrets = try JSONDecoder().decode(Secrets.self, from: Data(made.utf8))
        let spc = try directory.write(Data(try #require(Self.bytes(secrets.spc))), to: "spc")
        let ckc = directory.file("ckc")
        func ask(_ token: Int) async throws -> String {
            try await Program.run(
                "/usr/bin/curl",
                [
                    "-s", "-m", "10", "-o", ckc, "-w", "%{http_code} %{content_type}", "--data-binary", "@\(spc)",
                    "-H", "Content-Type: application/octet-stream",
                    packager.url("fairplay?token=\(issuer.tokens[token])"),
                ]
            )
        }
        // The token's lease is the shorter one; 0 means that it has no lease of its own.
        for (token, lease) in [(0, "0000005a"), (1, "00000078")] {
            #expect(try await ask(token) == "200 application/octet-stream")
            let answer = try Data(contentsOf: URL(filePath: ckc)).map { String(format: "%02x", $0) }.joined()
            let read = try await Program.run(Repository.python, [script, "open", made, answer])
            let license = try JSONDecoder().decode(License.self, from: Data(read.utf8))
            #expect(license.contentKey == key.map { String(format: "%02x", $0) }.joined())
            #expect(license.fields[Self.keyDuration]?.hasPrefix(lease) == true, "\(license.fields)")
        }
        #expect(try await ask(2) == "401 application/json")
        await packager.end()
        #expect(packager.program.errors.contains("system=fairplay"))
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
    }
}
