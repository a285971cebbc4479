import Foundation
import TestSupport
import Testing

/// `packager manifests kubernetes`, as an operator gives the command.
@Suite struct ManifestsCommandTests {
    private static let goldens = Repository.root.appending(path: "Tests/ManifestsTests/Goldens").path
    private static let command = ["manifests", "kubernetes", "--image", "registry.example.com/packager:0.3.0"]

    private func run(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        try await run(Repository.packager, Self.command + arguments)
    }

    private func run(
        _ executable: String,
        _ arguments: [String]
    ) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(executable, arguments)
        return (await program.exitCode(), program.output, program.errors)
    }

    @Test func manifestsAreWrittenAndKeepChannelsInTheirGroups() async throws {
        let configuration = ["--config", "\(Self.goldens)/fleet.packager.yaml"]
        let golden = "\(Self.goldens)/fleet.yaml"
        let place = ["--namespace", "tv", "--gateway", "edge/viewers", "--host", "live.example.com"]
        let pairs = try await run(configuration + place + ["--group-size", "2"])
        #expect(pairs.code == 0, "\(pairs.errors)")
        #expect(try pairs.output == String(contentsOfFile: golden, encoding: .utf8))
        // Without the groups of before all three would be in one.
        let kept = try await run(configuration + place + ["--keep", golden])
        #expect(kept.output == pairs.output, "\(kept.errors)")
    }

    /// As with `| head`, only that the reader has gone before there is anything to read.
    @Test func aReaderThatHasGoneIsNoError() async throws {
        let script = """
            import os, sys
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, 1)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let command = [Repository.packager] + Self.command + ["--config", "\(Self.goldens)/fleet.packager.yaml"]
        let (code, _, errors) = try await run("python3", ["-c", script] + command)
        #expect(code == 0 && errors.isEmpty, "\(errors)")
    }

    @Test func aFullDiskIsSaidSoInWords() async throws {
        let command = [Repository.packager] + Self.command + ["--config", "\(Self.goldens)/fleet.packager.yaml"]
        let (code, _, errors) = try await run("sh", ["-c", "exec \"$@\" >/dev/full", "sh"] + command)
        #expect(code == 2)
        #expect(errors == "packager: standard output: No space left on device\n")
    }

    @Test func whatCannotBeInPodsIsAnExitCode() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("clock: pts\nlisten: 127.0.0.1:8080\ninput: feed.ts\n", to: "p.yaml")
        let (code, output, errors) = try await run(["--config", path])
        #expect(code == 2 && output.isEmpty)
        #expect(errors.contains("p.yaml:2: listen: ") && errors.contains("p.yaml:3: input: "), "\(errors)")
    }

    @Test(arguments: [
        (["--group-size", "0"], "--group-size"), (["--gateway", "a", "--ingress-class", "b"], "--ingress-class"),
        (["--keep", "/none.yaml"], "--keep"),
    ])
    func badUsageIsAnExitCode(arguments: [String], word: String) async throws {
        let (code, output, errors) = try await run(["--config", "\(Self.goldens)/fleet.packager.yaml"] + arguments)
        #expect(code == 2 && output.isEmpty)
        #expect(errors.contains(word), "\(errors)")
    }
}
