import Foundation
import MediaCore
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
        func ask(_ token: Int?, _ uri: String = uri) async throws -> HTTP.Answer {
            let fields = token.map { ["Authorization": "Bearer \(issuer.tokens[$0])"] } ?? [:]
            return try await HTTP.get(packager.url(uri), fields: fields)
        }
        #expect(try await ask(0).body.count == 16)
        #expect(try await ask(nil, "\(uri)?token=\(issuer.tokens[0])").status == 200)
        let unknown = "keys/00000000000000000000000000000001"
        let refusals: [(Int?, String, Int, String)] = [
            (nil, uri, 401, "token-missing"), (1, uri, 401, "token-expired"), (2, uri, 403, "other-channel"),
            (3, uri, 403, "other-class"), (0, unknown, 404, "key-unknown"),
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

    /// The issuer's server says which keys are good, and changes its mind.
    @Test func keysOfTokensAreFetchedFromTheirServerAgain() async throws {
        let directory = try TemporaryDirectory()
        let old = try await TokenIssuer([.init("old")], [.init("old")])
        let new = try await TokenIssuer([.init("new")], [.init("new")])
        _ = try directory.write(old.jwks, to: "jwks.json")
        let port = Ports.free()
        let server = try Program(
            Repository.python,
            ["-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", directory.path]
        )
        defer { server.kill() }
        let url = "http://127.0.0.1:\(port)/jwks.json"
        _ = try await eventually(within: 20, "the server of the keys answers") { try await HTTP.body(url) }
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
            "--token-keys", url,
        ])
        let uri = try await key(packager)
        @Sendable func status(_ issuer: TokenIssuer) async throws -> Int {
            try await HTTP.get(packager.url("\(uri)?token=\(issuer.tokens[0])")).status
        }
        #expect(try await status(old) == 200)
        #expect([401, 503].contains(try await status(new)))
        _ = try directory.write(new.jwks, to: "jwks.json")
        // A key that is not known is looked for once in ten seconds.
        _ = try await eventually(within: 30, "the new key is known") {
            try await status(new) == 200 ? true : nil
        }
        #expect(try await status(old) == 401, "a key that was withdrawn")
        // While the server is away, the last ones hold.
        server.kill()
        #expect(try await status(new) == 200)
        await packager.end()
    }

    /// Refused until it is announced, given out from then on.
    @Test func aKeyIsGivenOutFromItsHintOn() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let protection = [
            "--segment-duration", "1", "--encryption", "aes-128", "--key-rotation", "16", "--key-secret", secret,
        ]
        let packager = try await PackagerProcess(
            ["--input", Repository.smallFeed, "--loop", "--key-hint", "identity", "--key-rate", "1000"] + protection
        )
        @Sendable func hint() async throws -> KeyHint? {
            try MediaPlaylist(parsing: await packager.text("video-180p.m3u8")).keyHint
        }
        func status(_ uri: String) async throws -> Int { try await HTTP.get(packager.url(uri)).status }
        let first = try await eventually(within: 30, "a hint") { try await hint() }
        // One that is new, so that a whole period passes before the next.
        let announced = try await eventually(within: 30, "another hint") {
            try await hint().flatMap { $0 == first ? nil : $0 }
        }
        #expect(try await status(announced.key.uri) == 200)
        // The key of the period behind the announced one, which its owner knows.
        let time = (announced.firstUse + MediaTime(seconds: 16)).iso8601
        let document = try await Program.run(
            Repository.packager,
            ["keys", "export", "--clear", "--from", time, "--to", time] + protection
        )
        let keyIDs = document.matches(of: /kid="([0-9a-fA-F-]{36})"/).map {
            "keys/" + $0.output.1.replacing("-", with: "").lowercased()
        }
        #expect(!keyIDs.isEmpty && !keyIDs.contains(announced.key.uri))
        for uri in keyIDs { #expect(try await status(uri) == 425) }
        let next = try await eventually(within: 30, "the next hint") {
            try await hint().flatMap { $0 == announced ? nil : $0 }
        }
        #expect(keyIDs.contains(next.key.uri))
        for uri in keyIDs { #expect(try await status(uri) == 200) }
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
        let address = try packager.address("keys") + "/live/"
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
        let refusal = try JSONDecoder().decode(Answer.self, from: Data(contentsOf: URL(filePath: file)))
        #expect(refusal.error == "request-too-long" && refusal.fatal)
        #expect(try await curl(["-d", "x", address + "fairplay"]) == "405", "there are no credentials for it")
        // Many on one connection, and a goodbye that loses nothing.
        let many = Array(repeating: ["-o", "/dev/null", address + uri], count: 20).flatMap(\.self)
        #expect(try await curl(many).hasPrefix("200200200"))
        #expect(await packager.end() == 0)
    }

    /// All problems are in one list, each with the place where it is written.
    @Test func whatCannotBeUsedIsSaidAtTheStartAllAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let good = try directory.write(try await TokenIssuer([.init("shared")], []).jwks, to: "jwks.json")
        let file = try directory.write(
            Data(
                """
                input: \(Repository.smallFeed)
                keys-listen: 127.0.0.1:0
                keys-private-key: /none/key
                fairplay-certificate: [/none/a, /none/b]
                fairplay-private-key: [\(good), \(good)]
                fairplay-provider: /none/provider
                """.utf8
            ),
            to: "packager.yaml"
        )
        let usual = ["--config", file, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        let flags = ["--token-keys", "/none/tokens", "--keys-certificate", "/none/certificate"]
        let places = [
            "--token-keys: /none/tokens: ", "--keys-certificate: /none/certificate: ",
            "\(file):3: keys-private-key: /none/key: ", "\(file):4: fairplay-certificate[0]: /none/a: ",
            "\(file):4: fairplay-certificate[1]: /none/b: ", "\(file):6: fairplay-provider: /none/provider: ",
        ]
        let secret = ["--encryption", "aes-128", "--key-secret", "/none/secret"]
        // Beside what channels lack, and beside what is no configuration.
        for (others, word) in [(secret, "/none/secret"), (["--window", "long"], "has 7 problems:")] {
            let program = try Program(Repository.packager, usual + flags + others)
            #expect(await program.exitCode() == 2)
            #expect(!program.output.contains("listening"))
            try await eventually(within: 5, "\(word)") { program.errors.contains(word) ? () : nil }
            for place in places + [word] {
                #expect(program.errors.split(separator: "\n").count { $0.contains(place) } == 1, "\(program.errors)")
            }
        }
    }

    @Test(arguments: [
        (["--keys-certificate", "a"], ["go together", "set keys-listen"]),
        (["--fairplay-certificate", "a"], ["set fairplay-provider", "as many fairplay-private-key"]),
        (["--fairplay-provider", "a"], ["set fairplay-certificate"]),
        (
            ["--fairplay-provider", "a", "--fairplay-certificate", "a", "--fairplay-private-key", "a"]
                + ["--fairplay-provisioning", "a", "--fairplay-provisioning", "a"],
            ["as many fairplay-provisioning"]
        ),
        (["--playlist-variables"], ["set key-url, token-keys or both"]),
        (["--token-audience", "a", "--token-issuer", "b"], ["no token is required; set token-keys"]),
        (["--token-audience", "a b"], ["is not a claim"]),
        (["--key-url", "keys.example.com"], ["is not the URL of a server"]),
        (["--key-url", "https://keys.example.com/?x={$y}"], ["cannot be followed by a path"]),
        (
            ["--playlist-variables", "--key-url", "https://a", "--token-parameter", "key-url"],
            ["is called 'key-url' already"]
        ),
    ])
    func whatDoesNotGoTogetherIsSaidAtTheStart(arguments: [String], words: [String]) async throws {
        let usual = ["--input", Repository.smallFeed, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        let program = try Program(Repository.packager, usual + arguments)
        #expect(await program.exitCode() == 2)
        for word in words {
            try await eventually(within: 5, "\(word) in: \(program.errors)") {
                program.errors.contains(word) ? () : nil
            }
        }
    }
}
