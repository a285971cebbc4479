import ContentProtection
import Control
import Foundation
import Logging
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// The problems that a start would refuse, found without starting.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationCheckTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func reading(_ text: String) throws -> ConfigurationReading {
        let file = ConfigurationFile(name: "packager.yaml", text: text)
        return try Configuration.read(flags: [:], environment: [:], file: file)
    }

    private static func check(_ text: String) async throws -> ConfigurationCheck {
        let reading = try reading(text)
        return ConfigurationCheck(
            reading: reading,
            endpoint: await KeyEndpoint(reading, logger: logger),
            security: ListenerSecurity(reading),
            environment: [:],
            logger: logger
        )
    }

    private static func problems(_ text: String) async throws -> [ConfigurationProblem] {
        try await check(text).problems
    }

    @Test func nothingIsFoundWhereAllIsThere() async throws {
        let found = try await Self.problems("input: \(Repository.smallFeed)\nloop: true\n")
        #expect(found.isEmpty, "\(found)")
    }

    /// All at once, each where its setting is written.
    @Test func everythingIsFoundWithItsLine() async throws {
        let found = try await Self.problems(
            """
            input: /none/feed.ts
            state: /proc/none
            tls-certificate: /none/certificate.pem
            tls-private-key: /none/key.pem
            token-keys: /none/tokens.json
            access-log: /none/access.log
            webhooks:
              - url: https://a.example/b
                secret-variable: NONE
            """
        )
        let lines = found.map(\.description)
        #expect(lines.allSatisfy { $0.hasPrefix("packager.yaml:") }, "\(lines)")
        let words = [
            "/none/feed.ts is not a file that can be read", "nothing can be written to /proc",
            "/none/certificate.pem: No such file or directory", "/none/key.pem: No such file or directory",
            "/none/tokens.json", "there is no directory /none/", "secret-variable: the environment has no NONE",
        ]
        for word in words { #expect(lines.count { $0.contains(word) } == 1, "\(word) in \(lines)") }
        #expect(lines.count == words.count, "\(lines)")
    }

    /// A secret that is there, one that is not, and none on disk.
    @Test(
        arguments: [
            ("one", "two", true), ("one", "one", false), ("none", "two", false), (nil, nil, false), (nil, "two", false),
        ] as [(String?, String?, Bool)]
    )
    func keysOfARunningPackagerAreLookedAt(running: String?, wanted: String?, isFound: Bool) async throws {
        let directory = try TemporaryDirectory()
        let one = directory.file("one")
        try FileManager.default.createDirectory(atPath: one, withIntermediateDirectories: false)
        _ = try MasterSecret.loadOrCreate(path: "\(one)/master.key")
        func text(_ name: String?, _ more: String) -> String {
            let state = name.map { "state: \(directory.file($0))\n" } ?? ""
            return "input: \(Repository.smallFeed)\nloop: true\nencryption: aes-128\n\(more)\(state)"
        }
        let check = try await Self.check(text(wanted, "window: 90\n"))
        let found = check.problems(after: try Self.reading(text(running, "")).configuration).map(\.description)
        #expect(found.count == (isFound ? 1 : 0), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("packager.yaml:5: state: the keys would differ") })
        #expect(!FileManager.default.fileExists(atPath: directory.file("two")), "nothing is made")
        let elsewhere = try Self.reading("listen: 127.0.0.1:1\n" + text(wanted, "")).configuration
        #expect(check.problems(after: elsewhere).count == 1, "as before, the address")
    }

    /// A reload refuses it, too.
    @Test func aPlaceThatARunningChannelHasIsFound() async throws {
        func text(_ name: String) -> String {
            "channels:\n  - {name: \(name), input: \(Repository.smallFeed), loop: true, output: /srv/hls}\n"
        }
        let running = try Self.reading(text("live")).configuration
        let found = try await Self.check(text("news")).problems(after: running).map(\.description)
        #expect(found.count == 1 && found[0].hasSuffix("remove live first, in a reload of its own"), "\(found)")
    }

    /// Caches read the secret as well: it is one line of what needs no quotes.
    @Test(arguments: [
        (String(repeating: "a", count: 32), true), (String(repeating: "0", count: 64) + "\n", true), ("", false),
        (String(repeating: "a", count: 31), false), (String(repeating: "a", count: 65), false),
        (String(repeating: "a ", count: 20), false), (String(repeating: "ä", count: 20), false),
        (String(repeating: "a\n", count: 20), false), (String(repeating: "\"", count: 40), false),
        (String(repeating: "a", count: 100_000), false),
    ])
    func secretOfPassesIsOneLine(secret: String, isGood: Bool) async throws {
        let directory = try TemporaryDirectory()
        let found = try await Self.problems(ofPassSecret: directory.writeSecret(secret, to: "secret"), in: directory)
        #expect(found.isEmpty == isGood, "\(found)")
        for problem in found {
            #expect(problem.description.hasPrefix("packager.yaml:5: token-media-secret: "))
            #expect(secret.isEmpty || !problem.description.contains(secret.prefix(20)), "it is a secret")
        }
    }

    @Test func secretOfPassesIsItsOwnersAlone() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.writeSecret(String(repeating: "a", count: 32), to: "secret")
        try #require(chmod(path, 0o644) == 0)
        let found = try await Self.problems(ofPassSecret: path, in: directory)
        let problem = "\(path): mode 644 lets others use the secret; run: chmod 600 \(path)"
        #expect(found.map(\.description) == ["packager.yaml:5: token-media-secret: \(problem)"])
    }

    private static func problems(
        ofPassSecret path: String,
        in directory: TemporaryDirectory
    ) async throws -> [ConfigurationProblem] {
        let jwks = "{\"keys\":[{\"kty\":\"oct\",\"k\":\"\(String(repeating: "A", count: 43))\"}]}"
        return try await problems(
            """
            input: \(Repository.smallFeed)
            loop: true
            token-keys: \(try directory.write(jwks, to: "jwks.json"))
            token-media: path
            token-media-secret: \(path)
            """
        )
    }

    // MARK: Files of listeners

    /// The origin, the keys and the control API have the same certificate.
    @Test func missingCertificateIsOneProblemOfAllListeners() throws {
        let security = ListenerSecurity(
            try Self.reading(
                """
                input: \(Repository.smallFeed)
                tls-certificate: /none/certificate.pem
                tls-private-key: /none/key.pem
                keys-listen: 127.0.0.1:8443
                """
            )
        )
        #expect(security.listeners.isEmpty && security.hasFiles == false)
        #expect(
            security.problems.map(\.message) == [
                "/none/certificate.pem: No such file or directory", "/none/key.pem: No such file or directory",
            ]
        )
    }

    @Test func listenersWithFilesOfTheirOwnAreTheirOwnProblems() throws {
        let security = ListenerSecurity(
            try Self.reading(
                """
                input: \(Repository.smallFeed)
                tls-certificate: /none/common.pem
                tls-private-key: /none/common.key
                control-certificate: /none/control.pem
                control-private-key: /none/control.key
                control-client-authority: /none/authority.pem
                control-tokens: /none/tokens
                """
            )
        )
        let paths = ["common.pem", "common.key", "control.pem", "control.key", "authority.pem", "tokens"]
        #expect(security.problems.count == paths.count, "\(security.problems)")
        for path in paths {
            #expect(security.problems.count { $0.message.contains("/none/\(path): ") } == 1, "\(path)")
        }
    }

    @Test func listenersWithoutFilesAreInTheClear() throws {
        let security = ListenerSecurity(try Self.reading("input: \(Repository.smallFeed)\n"))
        #expect(security.problems.isEmpty && !security.hasFiles && security.status.isEmpty)
        #expect(security["origin"] == nil && security["control"] == nil)
        #expect(security.access.isOpenToAll)
    }

    // MARK: As a service

    private static func serviceProblems(
        _ text: String,
        overlay: String? = nil,
        refused: [Int: String] = [:]
    ) throws -> [String] {
        let check = ServiceCheck(try reading(text).configuration, overlay: overlay) { refused[$0.port] }
        return check.problems.map(\.description)
    }

    @Test func everyAddressIsTried() throws {
        let text = """
            input: \(Repository.smallFeed)
            listen: 0.0.0.0:80
            control: 127.0.0.1:81
            keys-listen: 0.0.0.0:82
            """
        #expect(try Self.serviceProblems(text).isEmpty)
        let refused = [80: "Permission denied", 81: "Address already in use", 82: "Permission denied"]
        #expect(
            try Self.serviceProblems(text, refused: refused) == [
                "listen: this user cannot listen on 0.0.0.0:80: Permission denied",
                "control: this user cannot listen on 127.0.0.1:81: Address already in use",
                "keys-listen: this user cannot listen on 0.0.0.0:82: Permission denied",
            ]
        )
    }

    @Test func everyDirectoryIsWrittenTo() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "file")
        let text = """
            input: \(Repository.smallFeed)
            state: \(file)/state
            output: \(directory.file("out"))
            """
        let problems = try Self.serviceProblems(text, overlay: "\(file)/packager.channels.yaml")
        #expect(
            problems == [
                "state of channel live: \(file)/state: \(file) is not a directory",
                "the control API cannot change channels: \(file): \(file) is not a directory",
            ]
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"], "nothing is left")
    }
}
