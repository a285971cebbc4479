import Foundation
import TestSupport
import Testing

/// HTTPS at the real program, as curl, h2load and OpenSSL see it.
@Suite struct EncryptionTests {
    private static let feed = [
        "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--encryption", "aes-128",
    ]

    /// A packager whose listeners have a certificate, in a file with its key.
    private struct Encrypted {
        let directory: TemporaryDirectory
        let authority: CertificateAuthority
        let file: String
        let packager: PackagerProcess

        init(_ options: [String] = [], days: Int = 30) async throws {
            directory = try TemporaryDirectory()
            authority = try await CertificateAuthority("one", in: directory)
            file = try directory.write(try await authority.certificate(of: "IP:127.0.0.1", days: days), to: "tls.pem")
            packager = try await PackagerProcess(
                EncryptionTests.feed + ["--tls-certificate", file, "--tls-private-key", file] + options
            )
        }

        /// Asks for a URL with a program that we did not write: version, status, and what else was asked for.
        func curl(_ arguments: [String], trusting other: CertificateAuthority? = nil) async throws -> String {
            let trust = ["--cacert", (other ?? authority).certificate]
            return try await Program.run(
                "/usr/bin/curl",
                ["-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_version} %{http_code}"] + trust + arguments
            )
        }

        func playlist() async throws -> [String] {
            let text = try await Program.run(
                "/usr/bin/curl",
                ["-s", "-m", "20", "--cacert", authority.certificate, packager.url("video-180p.m3u8")]
            )
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test func everyListenerSpeaksBothVersionsOverTLS() async throws {
        let encrypted = try await Encrypted(["--keys-listen", "127.0.0.1:0"])
        let packager = encrypted.packager
        let keys = try packager.address("keys") + "/live/keys.json"
        let urls = [packager.url("index.m3u8"), try packager.control + "/metrics", keys]
        for url in urls {
            #expect(url.hasPrefix("https://"))
            #expect(try await encrypted.curl(["--http2", url]) == "2 200")
            #expect(try await encrypted.curl(["--http1.1", url]) == "1.1 200")
            #expect(try await encrypted.curl(["--http2", "-I", url]) == "2 200")
            for version in ["1.2", "1.3"] {
                #expect(try await encrypted.curl(["--tlsv\(version)", "--tls-max", version, url]) == "2 200")
            }
            // Broken since 2011, and since 2021 no part of TLS (RFC 8996).
            let old = ["--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0", url]
            await #expect(throws: Program.Failure.self) { try await encrypted.curl(old) }
            // A client without TLS gets no answer.
            await #expect(throws: Program.Failure.self) {
                try await encrypted.curl(["http" + url.dropFirst("https".count)])
            }
        }
        #expect(await packager.end() == 0)
    }

    /// Ranges, conditions and posts are answered as over HTTP/1.1.
    @Test func answersAreTheSameInBothVersions() async throws {
        let encrypted = try await Encrypted()
        let packager = encrypted.packager
        let segment = try await eventually(within: 20, "a few segments") {
            let uris = try await encrypted.playlist().filter { $0.hasSuffix(".m4s") }
            return uris.count >= 4 ? uris[1] : nil
        }
        @Sendable func fetched(_ version: String, _ arguments: [String]) async throws -> String {
            let (head, body) = (encrypted.directory.file("head"), encrypted.directory.file("body"))
            let usual = ["-D", head, "-o", body, "-s", "-m", "20", "--cacert", encrypted.authority.certificate]
            let code = try await Program.run("/usr/bin/curl", [version, "-w", "%{http_code}"] + usual + arguments)
            let fields = try String(contentsOfFile: head, encoding: .utf8).split(separator: "\r\n").dropFirst()
                .map { $0.prefix { $0 != ":" }.lowercased() + $0.drop { $0 != ":" } }
                .filter { !$0.hasPrefix("date:") && !$0.hasPrefix("connection:") && !$0.hasPrefix("cache-control:") }
            // The hash of `Data` is that of its first bytes.
            return try "\(code) \(fields.sorted()) \(Array(Data(contentsOf: URL(filePath: body))).hashValue)"
        }
        let requests = [
            [packager.url(segment)], ["-r", "100-299", packager.url(segment)],
            ["-r", "999999999-", packager.url(segment)],
            [packager.url("nothing.m3u8")], ["-X", "OPTIONS", packager.url("index.m3u8")],
            ["-d", "{}", packager.url("clearkey")],
            ["-d", String(repeating: "x", count: 100_000), packager.url("clearkey")],
            ["-X", "DELETE", packager.url("index.m3u8")], ["--compressed", packager.url("index.m3u8")],
            [packager.origin + "/"],
        ]
        for request in requests {
            let (first, second) = try await eventually(within: 60, "an answer that stays the same for a moment") {
                let (first, second) = try await (fetched("--http1.1", request), fetched("--http2", request))
                // The bit rates in the multivariant playlist change with segments.
                return try await fetched("--http1.1", request) == first ? (first, second) : nil
            }
            #expect(first == second)
        }
        await packager.end()
    }

    /// Followers of events hold up no shutdown.
    @Test func eventsAreFollowedInBothVersions() async throws {
        let encrypted = try await Encrypted()
        let events = try encrypted.packager.control + "/events?after=0"
        let usual = ["-s", "-N", "--cacert", encrypted.authority.certificate, "-H", "Accept: text/event-stream"]
        let followers = try ["--http1.1", "--http2"].map { try Program("/usr/bin/curl", [$0] + usual + [events]) }
        for follower in followers {
            _ = try await eventually(within: 20, "an event") { follower.output.contains("\ndata: ") ? true : nil }
            #expect(follower.isRunning)
        }
        #expect(await encrypted.packager.end() == 0)
        for follower in followers { #expect(await follower.exitCode() == 0) }
    }

    @Test func fFmpegPlaysIt() async throws {
        let encrypted = try await Encrypted()
        _ = try await eventually(within: 20, "a few segments") {
            try await encrypted.playlist().count { $0.hasSuffix(".m4s") } >= 3 ? true : nil
        }
        let trust = ["-v", "error", "-ca_file", encrypted.authority.certificate, "-tls_verify", "1"]
        let url = encrypted.packager.url("video-180p.m3u8")
        try await Program.run("/usr/bin/ffmpeg", trust + ["-i", url, "-t", "2", "-f", "null", "-"])
        await encrypted.packager.end()
    }

    /// 100 at a time on each of 4 connections, of which none may fail.
    @Test func manyRequestsShareAConnection() async throws {
        let encrypted = try await Encrypted()
        let segment = try await eventually(within: 20, "a segment") {
            try await encrypted.playlist().last { $0.hasSuffix(".m4s") }
        }
        let output = try await Program.run(
            "/usr/bin/h2load",
            ["-n", "4000", "-c", "4", "-m", "100", encrypted.packager.url(segment)]
        )
        #expect(output.contains("4000 done, 4000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(output)")
        await encrypted.packager.end()
    }

    @Test func aNewCertificateIsTakenUpAndABrokenOneIsNot() async throws {
        let encrypted = try await Encrypted(days: 5)
        let packager = encrypted.packager
        let url = packager.url("index.m3u8")
        let other = try await CertificateAuthority("two", in: encrypted.directory)
        func says(_ text: String) async throws {
            _ = try await eventually(within: 30, "\(text)") { packager.program.errors.contains(text) ? true : nil }
        }
        try await says("the certificate expires at ")
        try await says("in 4 days: renew it")
        #expect(try await encrypted.curl([url]) == "2 200")
        await #expect(throws: Program.Failure.self) { try await encrypted.curl([url], trusting: other) }

        _ = try encrypted.directory.write(try await other.certificate(of: "IP:127.0.0.1", days: 50), to: "tls.pem")
        try await says("connections to origin get it")
        try await says("connections to control get it")
        #expect(try await encrypted.curl([url], trusting: other) == "2 200")
        await #expect(throws: Program.Failure.self) { try await encrypted.curl([url]) }
        let metrics = try await Program.run(
            "/usr/bin/curl",
            ["-s", "--cacert", other.certificate, try packager.control + "/metrics"]
        )
        for listener in ["origin", "control"] {
            let name = "packager_certificate_expiry_timestamp_seconds{listener=\"\(listener)\"} "
            let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix(name) })
            let seconds = try #require(Double(line.dropFirst(name.count)))
            #expect(abs(seconds - Date.now.timeIntervalSince1970 - 50 * 86_400) < 3600)
        }

        _ = try encrypted.directory.write("-----BEGIN CERTIFICATE-----\nx\n", to: "tls.pem")
        try await says("has changed and cannot be used (there is no certificate in PEM in the file)")
        #expect(try await encrypted.curl([url], trusting: other) == "2 200")
        #expect(await packager.end() == 0)
    }

    /// Connections stay with the process that has agreed on their keys, until they are told to come again.
    @Test func aNewProcessTakesTheListenersOver() async throws {
        let directory = try TemporaryDirectory()
        let encrypted = try await Encrypted(["--state", directory.file("state")])
        let program = encrypted.packager.program
        let url = encrypted.packager.url("index.m3u8")
        #expect(try await encrypted.curl([url]) == "2 200")
        kill(program.identifier, SIGUSR2)
        let successor = try await eventually(within: 60, "a successor") {
            // Nobody notices, also while it happens.
            let answer = try await encrypted.curl([url])
            #expect(answer == "2 200")
            return program.errors.firstMatch(of: /upgrade .*Process ([0-9]+) has taken/).flatMap { Int32($0.output.1) }
        }
        defer { kill(successor, SIGKILL) }
        #expect(await program.exitCode() == 0)
        for address in [url, try encrypted.packager.control + "/readyz"] {
            #expect(try await encrypted.curl(["--http2", address]) == "2 200")
            #expect(try await encrypted.curl(["--http1.1", address]) == "1.1 200")
        }
    }

    @Test func whatIsWrongWithCertificatesIsSaidAtTheStart() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await CertificateAuthority("one", in: directory)
        let good = try directory.write(try await authority.certificate(of: "IP:127.0.0.1", days: 3), to: "good.pem")
        let other = try directory.write(try await authority.certificate(of: "IP:127.0.0.1"), to: "other.pem")
        let locked = directory.file("locked.pem")
        try await Program.run("openssl", ["rsa", "-aes256", "-passout", "pass:x", "-in", good, "-out", locked])
        let empty = try directory.write("", to: "empty.pem")
        let cases: [(String, String, String)] = [
            (good, other, "tls-private-key: \(other): the private key is not that of the certificate"),
            (
                good, locked,
                "tls-private-key: \(locked): there is no private key in PEM in the file, or it has a passphrase"
            ),
            (empty, good, "tls-certificate: \(empty): there is no certificate in PEM in the file"),
            (good, "/none", "tls-private-key: /none: No such file or directory"),
        ]
        for (certificate, key, problem) in cases {
            let lines = [
                "input: \(Repository.smallFeed)", "tls-certificate: \(certificate)", "tls-private-key: \(key)",
            ]
            let file = try directory.write(lines.joined(separator: "\n"), to: "packager.yaml")
            for command in [["check-config", file], ["--config", file, "--listen", "127.0.0.1:0"]] {
                let program = try Program(Repository.packager, command)
                #expect(await program.exitCode() == 2)
                try await eventually(within: 5, problem) { program.errors.contains(problem) ? () : nil }
            }
        }
        let lines = ["input: \(Repository.smallFeed)", "tls-certificate: \(good)", "tls-private-key: \(good)"]
        let file = try directory.write(lines.joined(separator: "\n"), to: "packager.yaml")
        let output = try await Program.run(Repository.packager, ["check-config", file])
        #expect(output.contains("tls-certificate: \(good): the certificate expires at "))
        #expect(output.contains("in 2 days: renew it"))
    }

    /// The certificate is made as by `make run-tls`: for this machine by any of its names, and trusted by clients that
    /// trust its authority.
    @Test func theCertificateOfTheSampleIsGood() async throws {
        let directory = try TemporaryDirectory()
        let script = Repository.root.appending(path: "Config/system/local-certificate.sh").path
        let said = try await Program.run(script, [directory.file("tls"), "8443"])
        #expect(said.contains("Open https://") && said.contains(":8443/ on any machine of this network."))
        let (certificate, key) = (directory.file("tls/server.pem"), directory.file("tls/server.key"))
        let packager = try await PackagerProcess(
            Self.feed + ["--tls-certificate", certificate, "--tls-private-key", key]
        )
        let name = try await Program.run("/bin/hostname", []).split(separator: "\n")[0]
        let port = try #require(packager.origin.split(separator: ":").last)
        for host in ["127.0.0.1", "localhost", String(name)] {
            let answer = try await Program.run(
                "/usr/bin/curl",
                ["-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_version} %{http_code}"]
                    + ["--cacert", directory.file("tls/authority.pem"), "--resolve", "\(host):\(port):127.0.0.1"]
                    + ["https://\(host):\(port)/live/index.m3u8"]
            )
            #expect(answer == "2 200", "\(host)")
        }
        // Its authority stays, so that browsers that trust it continue doing so.
        let authority = try Data(contentsOf: URL(filePath: directory.file("tls/authority.pem")))
        let before = try Data(contentsOf: URL(filePath: certificate))
        try await Program.run(script, [directory.file("tls"), "8443"])
        #expect(try Data(contentsOf: URL(filePath: directory.file("tls/authority.pem"))) == authority)
        #expect(try Data(contentsOf: URL(filePath: certificate)) != before)
        #expect(await packager.end() == 0)
    }

    @Test func operatorsShowCertificates() async throws {
        let directory = try TemporaryDirectory()
        let (operators, others) = try await (
            CertificateAuthority("operators", in: directory), CertificateAuthority("others", in: directory)
        )
        let files = try await [operators, others].enumerated().asyncMap { index, authority in
            try directory.write(try await authority.certificate(of: "DNS:ana"), to: "client-\(index).pem")
        }
        let encrypted = try await Encrypted(["--control-client-authority", operators.certificate])
        let reload = ["-X", "POST", try encrypted.packager.control + "/reload"]
        let channels = try encrypted.packager.control + "/channels"
        for version in ["--http1.1", "--http2"] {
            let number = version == "--http2" ? "2" : "1.1"
            // It has no file to read again, which does not concern the check of access.
            #expect(try await encrypted.curl([version, "--cert", files[0], channels]) == "\(number) 200")
            #expect(try await encrypted.curl([version, "--cert", files[0]] + reload) == "\(number) 200")
            #expect(try await encrypted.curl([version, channels]) == "\(number) 401")
            #expect(try await encrypted.curl([version] + reload) == "\(number) 401")
            let health = try encrypted.packager.control + "/healthz"
            #expect(try await encrypted.curl([version, health]) == "\(number) 200")
            await #expect(throws: Program.Failure.self) {
                try await encrypted.curl([version, "--cert", files[1], channels])
            }
        }
        _ = try await eventually(within: 5, "it is said who it was") {
            encrypted.packager.program.errors.contains(/who="certificate [0-9a-f]+"/) ? true : nil
        }
        // Viewers are asked for none.
        #expect(try await encrypted.curl([encrypted.packager.url("index.m3u8")]) == "2 200")
        #expect(await encrypted.packager.end() == 0)
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
