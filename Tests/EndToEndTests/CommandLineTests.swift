import Foundation
import Playlists
import TestSupport
import Testing

/// The messages for an operator's mistakes.
@Suite(.serialized) struct CommandLineTests {
    private func complaint(_ arguments: [String]) async throws -> (code: Int32, text: String) {
        let program = try Program(Repository.packager, arguments)
        let code = await program.exitCode()
        // Below the lines of the log, which begin with the time.
        let text = try await eventually(within: 5, "a message") {
            program.errors.split(separator: "\n").contains { !$0.hasPrefix("20") } ? program.errors : nil
        }
        return (code, text)
    }

    @Test func allProblemsAreListedAtOnce() async throws {
        let (code, text) = try await complaint(
            ["--segment-duration", "0", "--window", "soon", "--encryption", "rot13", "--listen", "nowhere"]
        )
        #expect(code == 2)
        for flag in ["--segment-duration", "--window", "--encryption", "--listen", "--input"] {
            #expect(text.contains(flag), "\(flag) in \(text)")
        }
    }

    @Test func anUnknownFlagIsBadUsage() async throws {
        let (code, text) = try await complaint(["--segmnt-duration", "4"])
        #expect(code == 2)
        #expect(text.contains("--segment-duration"))
    }

    @Test func anUnknownCommandIsMetWithThoseThereAre() async throws {
        let (code, text) = try await complaint(["chek", "http://127.0.0.1/x.m3u8"])
        #expect(code == 2)
        #expect(text.contains("there is no command 'chek' (did you mean check?)") && text.contains("drill"), "\(text)")
    }

    @Test func helpListsTheCommands() async throws {
        let help = try await Program.run(Repository.packager, ["--help"])
        for word in ["--segment-duration", "check-config", "drill", "compare", "manifests", "rekey"] {
            #expect(help.contains(word), "\(word)")
        }
    }

    /// The newest release in CHANGELOG.md is the one that the program and the package say they are.
    @Test func programAndPackageHaveTheVersionOfTheChangelog() async throws {
        let changelog = try String(contentsOf: Repository.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let releases = changelog.split(separator: "\n").filter { $0.hasPrefix("## [") && $0 != "## [Unreleased]" }
        let number = try #require(releases.first).dropFirst(4).prefix { $0 != "]" }
        let text = try await Program.run(Repository.packager, ["--version"])
        #expect(text.hasPrefix("packager \(number), from "), "\(text)")
        #expect(try await Program.run(Repository.packager, ["version"]) == text)
        let versions = try await Program.run("make", ["--silent", "--no-print-directory", "version"])
        #expect(versions.hasPrefix("\(number) \(number)+git"), "\(versions)")
    }

    @Test func aConfigurationThatIsNotThereIsSaidSoInWords() async throws {
        let (code, text) = try await complaint(["--config", "/none.yaml"])
        #expect(code == 2)
        #expect(text.contains("--config: /none.yaml: No such file or directory"), "\(text)")
        let (_, other) = try await complaint(["--config", "/tmp"])
        #expect(other.contains("--config: /tmp: it is a directory, not a file"), "\(other)")
    }

    @Test func aSchemeThatNothingReadsIsRefusedAtOnce() async throws {
        let (code, text) = try await complaint(
            ["--input", "upd://127.0.0.1:5000", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        )
        #expect(code == 2)
        #expect(text.contains("the protocol 'upd' is not supported (did you mean udp?)"), "\(text)")
    }

    @Test func aPortInUseIsSaidSo() async throws {
        let packager = try await PackagerProcess(["--input", Repository.feed, "--loop"])
        let port = try #require(packager.origin.split(separator: ":").last)
        let (code, text) = try await complaint(
            ["--input", Repository.feed, "--listen", "127.0.0.1:\(port)", "--control", "127.0.0.1:0"]
        )
        #expect(code == 2)
        #expect(text.contains("listen: cannot listen on 127.0.0.1:\(port)") && text.contains("--listen"), "\(text)")
        await packager.end()
    }

    /// A program that parses the log learns why the packager has ended.
    @Test func whyItEndsIsJSONWhereTheLogIs() async throws {
        let program = try Program(
            Repository.packager,
            ["--input", "/none.ts", "--log-format", "json", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        )
        #expect(await program.exitCode() == 2)
        let last = try await eventually(within: 5, "it is said why") {
            program.errors.split(separator: "\n").last { $0.contains("critical") }
        }
        let object = try JSONDecoder().decode([String: String].self, from: Data(last.utf8))
        #expect(object["level"] == "critical")
        #expect(object["message"]?.contains("/none.ts is not a file that can be read") == true, "\(object)")
    }

    @Test func aSecretThatOthersCanReadIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
        let (code, text) = try await complaint(
            ["--input", Repository.feed, "--encryption", "sample-aes", "--key-secret", secret]
        )
        #expect(code == 2)
        #expect(text.contains(secret) && !text.contains("5a5a"), "\(text)")
    }

    @Test func anOutputThatCannotBeWrittenIsSaidSo() async throws {
        let (code, text) = try await complaint(["--input", Repository.feed, "--output", "/proc/nothing"])
        #expect(code == 2)
        #expect(text.contains("/proc/nothing"), "\(text)")
    }

    /// Paths are relative to where the program is started, not to the file that says them: what is missed is named whole.
    @Test func aPathOfAFileIsRelativeToWhereTheProgramIs() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("spots-of-ads"),
            withIntermediateDirectories: true
        )
        let file = try directory.write("input: \(Repository.feed)\nads: files:spots-of-ads\n", to: "packager.yaml")
        let (code, text) = try await complaint(["--config", file])
        #expect(code == 2)
        let path = FileManager.default.currentDirectoryPath + "/spots-of-ads"
        #expect(text.contains("\(path) is not a directory"), "\(text)")
    }

    @Test func malformedYAMLIsSaidWithItsLine() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("name: live\ninput: [\n", to: "packager.yaml")
        let (code, text) = try await complaint(["--config", file])
        #expect(code == 2)
        #expect(text.contains("packager.yaml:"), "\(text)")
    }

    @Test func noSecretIsEverLogged() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--no-realtime", "--encryption", "sample-aes", "--key-secret", secret,
                "--log-level", "trace",
            ]
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let key = try await HTTP.body(packager.url(try #require(playlist.segments[0].keys.first?.uri)))
        let hex = key.hexadecimal
        await packager.end()
        #expect(!packager.program.errors.contains(hex))
        #expect(!packager.program.errors.contains("5a5a"))
        #expect(packager.program.errors.contains("request"))
    }
}
