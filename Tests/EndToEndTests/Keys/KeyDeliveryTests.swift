import Foundation
import Playlists
import TestSupport
import Testing

/// Keys behind tokens, at the real program.
@Suite(.serialized) struct KeyDeliveryTests {
    private struct Answer: Decodable {
        var error: String
        var fatal: Bool
    }

    /// The URI of the newest key that a playlist names.
    private func key(_ packager: PackagerProcess) async throws -> String {
        let playlist = try await packager.mediaPlaylist("video-180p", "a few segments") { $0.segments.count >= 3 }
        return try #require(playlist.segments.last?.keys.first?.uri)
    }

    @Test func whoHasATokenPlaysAndOthersAreToldWhyNot() async throws {
        let directory = try TemporaryDirectory()
        let issuer = try await TokenIssuer(
            [.init("shared"), .init("curve", "ES256")],
            [
                .init("curve", ["sub": .text("viewer-17")]), .init("shared", ["exp": .number(-1)]),
                .init("shared", ["channel": .text("other")]), .init("shared", ["classes": .list(["audio"])]),
            ]
        )
        let file = try directory.write(issuer.jwks, to: "jwks.json")
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
            "--token-keys", file, "--key-rate", "600",
        ])
        let uri = try await key(packager)
        // URLSession waits for credentials where a server asks for some.
        func ask(_ token: Int?, _ uri: String = uri) async throws -> (status: String, body: Data) {
            let file = directory.file("answer")
            let fields = token.map { ["-H", "Authorization: Bearer \(issuer.tokens[$0])"] } ?? []
            let arguments = ["-s", "-m", "10", "-o", file, "-w", "%{http_code}", packager.url(uri)]
            let status = try await Program.run("/usr/bin/curl", arguments + fields)
            return (status, try Data(contentsOf: URL(filePath: file)))
        }
        #expect(try await ask(0).body.count == 16)
        #expect(try await ask(nil, "\(uri)?token=\(issuer.tokens[0])").status == "200")
        let unknown = "keys/00000000000000000000000000000001"
        let refusals: [(Int?, String, String, String)] = [
            (nil, uri, "401", "token-missing"), (1, uri, "401", "token-expired"), (2, uri, "403", "other-channel"),
            (3, uri, "403", "other-class"), (0, unknown, "404", "key-unknown"),
        ]
        for (token, uri, status, error) in refusals {
            let answer = try await ask(token, uri)
            #expect(answer.status == status)
            let body = try JSONDecoder().decode(Answer.self, from: answer.body)
            #expect(body.error == error && body.fatal)
        }
        let playlist = packager.url("video-180p.m3u8")
        let decode = ["-v", "error", "-i", playlist, "-t", "2", "-f", "null", "-"]
        try await Program.run(
            "/usr/bin/ffmpeg",
            ["-headers", "Authorization: Bearer \(issuer.tokens[0])\r\n"] + decode
        )
        // Without one it finds nothing to decode, and tries again and again.
        await #expect(throws: Program.Failure.self) {
            try await Program.run("/usr/bin/timeout", ["-s", "KILL", "8", "/usr/bin/ffmpeg"] + decode)
        }
        let status = String(decoding: try await HTTP.body(try packager.control + "/origin"), as: UTF8.self)
        #expect(status.contains("\"token-expired\" : 1"))
        let errors = packager.program.errors + packager.program.output
        #expect(errors.contains("subject=viewer-17"))
        #expect(errors.contains("refusal=token-expired"))
        #expect(!issuer.tokens.contains { errors.contains($0.suffix(16)) }, "tokens stay out of the log")
        await packager.end()
    }

    @Test func keysHaveAnEncryptedAddressOfTheirOwn() async throws {
        let directory = try TemporaryDirectory()
        let (certificate, key) = (directory.file("cert.pem"), directory.file("key.pem"))
        try await Program.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        )
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
            "--keys-listen", "127.0.0.1:0", "--keys-certificate", certificate, "--keys-private-key", key,
        ])
        let uri = try await self.key(packager)
        let line = packager.program.output.split(separator: "\n").first { $0.hasPrefix("keys https://") }
        let address = try #require(line).dropFirst("keys ".count) + "live/"
        #expect(try await HTTP.get(packager.url(uri)).status == 404, "the origin has no keys any more")
        let file = directory.file("key")
        func curl(_ arguments: [String]) async throws -> String {
            try await Program.run(
                "/usr/bin/curl",
                ["-s", "-m", "10", "--cacert", certificate, "-o", file, "-w", "%{http_code}"] + arguments
            )
        }
        #expect(try await curl([address + uri]) == "200")
        #expect(try Data(contentsOf: URL(filePath: file)).count == 16)
        #expect(try await curl([address + "keys.json"]) == "200")
        #expect(try await curl([address + "index.m3u8"]) == "404")
        #expect(try await curl(["-d", "{}", address + "clearkey"]) == "400")
        #expect(try await curl(["-d", String(repeating: "x", count: 100_000), address + "clearkey"]) == "413")
        #expect(try await curl(["-d", "x", address + "fairplay"]) == "405", "there are no credentials for it")
        // Many on one connection, and a goodbye that loses nothing.
        let many = Array(repeating: ["-o", "/dev/null", address + uri], count: 20).flatMap(\.self)
        #expect(try await curl(many).hasPrefix("200200200"))
        #expect(await packager.end() == 0)
    }

    @Test(arguments: [
        (["--keys-certificate", "/none"], "go together"), (["--token-keys", "/none"], "--token-keys /none"),
        (["--fairplay-certificate", "/none"], "--fairplay-provider"),
        (["--keys-certificate", "/none", "--keys-private-key", "/none"], "--keys-listen"),
        (["--keys-listen", "127.0.0.1:0", "--keys-certificate", "/none", "--keys-private-key", "/none"], "/none"),
    ])
    func whatCannotBeUsedIsSaidAtTheStart(arguments: [String], words: String) async throws {
        let usual = ["--input", Repository.smallFeed, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        let program = try Program(Repository.packager, usual + arguments)
        #expect(await program.exitCode() == 2)
        #expect(program.errors.contains(words), "\(program.errors)")
    }
}
