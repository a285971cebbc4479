import ContentProtection
import Foundation
import TestSupport
import Testing

/// Secrets that nobody may read: neither in what the program says, nor in what it starts, nor in what it stores for
/// others.
@Suite struct SecretTests {
    /// Everything that was given to the program in confidence, by what it is.
    private struct Secrets {
        var texts: [String: String] = [:]
        var bytes: [String: Data] = [:]

        /// Returns those of them that are in something.
        func found(in data: Data) -> [String] {
            let all = bytes.merging(texts.mapValues { Data($0.utf8) }) { first, _ in first }
            return all.filter { data.range(of: $0.value) != nil }.keys.sorted()
        }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
    }

    @Test func nothingOfThemIsInLogsAnswersFilesOrChildren() async throws {
        let directory = try TemporaryDirectory()
        var secrets = Secrets()
        let master = (0..<32).map { UInt8($0 * 7 + 1) }
        secrets.bytes["master secret"] = Data(master)
        secrets.texts["master secret in hexadecimal"] = Self.hex(master)
        let secret = try directory.write(Self.hex(master), to: "master.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)

        let authority = try await CertificateAuthority("one", in: directory)
        let pem = try await authority.certificate(of: "IP:127.0.0.1")
        let tls = try directory.write(pem, to: "tls.pem")
        let lines = pem.split(separator: "\n")
        let begin = try #require(lines.firstIndex { $0.contains("PRIVATE KEY") })
        secrets.texts["private key"] = String(lines[begin + 2])

        let (good, bad) = ("operator-token-\(UUID())", "stranger-token-\(UUID())")
        secrets.texts["token"] = good
        secrets.texts["token of a stranger"] = bad
        let hash = Self.hex(try MessageDigest.sha256.digest(Array(good.utf8)))
        secrets.texts["hash of a token"] = hash
        let tokens = try directory.write("ana operator \(hash)\n", to: "control-tokens")
        secrets.texts["passphrase of a feed"] = "feed-passphrase-17"

        let issuer = try await TokenIssuer([.init("shared")], [.init("shared")])
        secrets.texts["token of a viewer"] = issuer.tokens[0]
        let witness = directory.file("witness")
        // What is run for a break leaves its own arguments and those of who has started it.
        let command = try directory.write(
            "cat /proc/$$/cmdline /proc/$PPID/cmdline /proc/$$/environ >> \(witness); echo '{\"ASSETS\": []}'\n",
            to: "ads.sh"
        )
        let (state, output) = (directory.file("state"), directory.file("output"))
        let jwks = try directory.write(issuer.jwks, to: "jwks.json")
        let configuration = """
            segment-duration: 1
            encryption: aes-128
            log-level: trace
            key-secret: \(secret)
            state: \(state)
            control-tokens: \(tokens)
            tls-certificate: \(tls)
            tls-private-key: \(tls)
            token-keys: \(jwks)
            channels:
              - {name: live, input: \(Repository.smallFeed), loop: true, output: \(output), \
                ads: "command:sh \(command)", interstitials: [{}]}
              - {name: away, input: "srt://127.0.0.1:9?passphrase=feed-passphrase-17"}
            """
        let packager = try await PackagerProcess(["--config", try directory.write(configuration, to: "packager.yaml")])
        let control = try packager.control
        @Sendable func ask(_ url: String, _ arguments: [String] = []) async throws -> Data {
            let usual = ["-s", "-m", "10", "-i", "--cacert", authority.certificate, url]
            return Data(try await Program.run("/usr/bin/curl", usual + arguments).utf8)
        }
        let own = ["-H", "Authorization: Bearer \(good)"]
        let playlist = packager.url("video-180p.m3u8")
        let key = try await eventually(within: 20, "a key") {
            let text = String(decoding: try await ask(playlist), as: UTF8.self)
            return text.firstMatch(of: /URI="(keys\/[0-9a-f]{32})"/).map { String($0.output.1) }
        }
        let splice = #"{"event": 7, "out": true, "at": "now", "duration": 6}"#
        // Accepted as soon as there is a slot that it can be in.
        _ = try await eventually(within: 20, "the splice is accepted") {
            let posted = try await ask(
                "\(control)/channels/live/splices",
                own + ["-H", "Content-Type: application/json", "-d", splice]
            )
            return String(decoding: posted, as: UTF8.self).hasPrefix("HTTP/2 200") ? true : nil
        }
        // The first request runs the command.
        let list = try await eventually(within: 20, "a list of advertisements") {
            let text = String(decoding: try await ask(playlist), as: UTF8.self)
            return text.firstMatch(of: /X-ASSET-LIST="([^"]+)"/).map { String($0.output.1) }
        }
        _ = try await ask(packager.url(list))
        #expect(FileManager.default.fileExists(atPath: witness))
        var answers: [Data] = []
        for path in [
            "/channels", "/channels/live", "/metrics", "/events", "/origin", "/upgrade", "/healthz", "/readyz",
            "/nothing",
        ] {
            for token in [good, bad] {
                answers.append(try await ask(control + path, ["-H", "Authorization: Bearer \(token)"]))
            }
        }
        for path in [
            "index.m3u8", "keys.json", "window.json", "\(key)?token=\(issuer.tokens[0])", "\(key)?token=\(bad)",
        ] {
            answers.append(try await ask(packager.url(path)))
        }
        #expect(await packager.end() == 0)

        #expect(secrets.found(in: Data("a \(good), and more".utf8)) == ["token"], "what is there is found")
        let channels = String(decoding: answers[0], as: UTF8.self)
        #expect(channels.contains(#""feed" : "srt://127.0.0.1:9"#) && channels.contains("\(Repository.smallFeed)\""))
        #expect(channels.contains(#""resolution" : "320x180""#) && channels.contains(#""avc1."#))
        for answer in answers {
            #expect(secrets.found(in: answer).isEmpty, "\(String(decoding: answer, as: UTF8.self).prefix(300))")
        }
        let said = packager.program.output + packager.program.errors
        #expect(said.contains("request") && said.contains("127.0.0.1:9"), "it has said a lot")
        #expect(secrets.found(in: Data(said.utf8)).isEmpty)
        #expect(secrets.found(in: try Data(contentsOf: URL(filePath: witness))).isEmpty)
        for directory in [state, output] {
            let files = try #require(FileManager.default.enumerator(atPath: directory))
            var count = 0
            for case let name as String in files {
                guard let contents = FileManager.default.contents(atPath: "\(directory)/\(name)") else { continue }
                #expect(secrets.found(in: contents).isEmpty, "\(directory)/\(name)")
                count += 1
            }
            #expect(count > 3, "\(directory)")
        }
    }
}
