import Foundation
import Playlists
import TestSupport
import Testing

/// The program's own drills, as an operator runs them.
@Suite struct DrillTests {
    private static func drill(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(Repository.packager, ["drill"] + arguments)
        let code = await program.exitCode()
        return (code, program.output, program.errors)
    }

    private static func scenario(_ name: String) -> String {
        Repository.root.appending(path: "Config/drills/\(name).yaml").path
    }

    /// The contents of a report besides what was seen.
    private struct Report: Decodable {
        struct Measurements: Decodable { var values: [String: Double] }
        var name: String
        var outcome: String
        var measurements: Measurements
    }

    @Test(
        arguments: [
            "encoder-killed", "both-lost", "pair-member-killed", "rung-lost", "packager-killed",
            "codec-configuration-change", "edge-killed",
        ].oneIn(2)
    )
    func whatTheStreamIsToSurviveItSurvives(name: String) async throws {
        let directory = try TemporaryDirectory()
        let (code, output, errors) = try await Self.drill([Self.scenario(name), "--report", directory.file("report")])
        #expect(code == 0, "\(output)\(errors)")
        #expect(output.hasPrefix("\(name): passed"))
        let json = try Data(contentsOf: URL(filePath: directory.file("report/\(name).json")))
        let report = try JSONDecoder().decode(Report.self, from: json)
        print(name, report.measurements.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        #expect(report.name == name)
        #expect(report.outcome == "passed")
        let page = try String(contentsOfFile: directory.file("report/\(name).html"), encoding: .utf8)
        // One file: nothing is fetched from anywhere.
        #expect(page.contains("<svg") && !page.contains("src=") && !page.contains("href=\"http"))
    }

    /// Machines are network namespaces.
    ///
    /// Where nobody can make them, the drill is skipped, and says why.
    @Test func eachChannelWithAMemberLeftSurvivesTheLossOfAMachine() async throws {
        let directory = try TemporaryDirectory()
        let (code, output, errors) = try await Self.drill(
            [Self.scenario("machine-killed"), "--report", directory.file("report")]
        )
        #expect(code == 0, "\(output)\(errors)")
        if output.hasPrefix("machine-killed: skipped") {
            #expect(output.contains("machines are network namespaces, which root makes: "), "\(output)")
            return print(output)
        }
        for channel in 1...3 { #expect(output.contains("machine-killed-\(channel): passed"), "\(output)") }
        #expect(FileManager.default.fileExists(atPath: directory.file("report/machine-killed-3.html")))
    }

    @Test func anExpectationThatIsNotMetIsAnExitCode() async throws {
        let directory = try TemporaryDirectory()
        let text = try String(contentsOfFile: Self.scenario("encoder-killed"), encoding: .utf8)
        // Without its backup the gap cannot be 0.
        let changed = text.replacing("backups:\n  - { transport: udp, timestamps: utc }\n", with: "")
        #expect(changed != text)
        let path = try directory.write(
            changed.replacing("inputs:\n  - {", with: "inputs:\n  - { sample: \(Repository.feed),"),
            to: "no-backup.yaml"
        )
        let (code, output, _) = try await Self.drill([path, "--report", directory.file("report")])
        #expect(code == 1)
        #expect(output.hasPrefix("no-backup: failed: gap "), "\(output)")
    }

    @Test func everythingThatIsWrongInAScenarioIsListedWithItsLine() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            """
            description: D
            duration: 20
            inputs:
              - { sample: \(Repository.feed) }
            faults:
              - { at: 4, target: input-1, fault: encoder-eaten }
              - { at: 30, target: input-1, fault: encoder-killed }
              - { at: 4, target: input-2, fault: encoder-killed, for: -1 }
            expect:
              gap: 0
            """,
            to: "bad.yaml"
        )
        let (code, output, errors) = try await Self.drill([path, "--report", directory.file("report")])
        #expect(code == 2)
        #expect(output.isEmpty)
        for line in 6...8 { #expect(errors.contains("bad.yaml:\(line):"), "\(errors)") }
        #expect(!FileManager.default.fileExists(atPath: directory.file("report")))
    }

    @Test func aStreamOnAirIsOnlyWatched() async throws {
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12"]
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let directory = try TemporaryDirectory()
        let (code, output, errors) = try await Self.drill(
            ["--against", packager.url("index.m3u8"), "--duration", "8", "--report", directory.file("report")]
        )
        #expect(code == 0, "\(errors)")
        print(output)
        #expect(output.contains("gap 0 s"))
        await packager.end()
    }
}
