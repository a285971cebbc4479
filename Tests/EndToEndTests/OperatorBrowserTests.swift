import Foundation
import TestSupport
import Testing

/// The operator page in Chromium.
@Suite struct OperatorBrowserTests {
    private struct Seen: Decodable {
        var channels: [String]
        var colours: Int
        var totals: String
        var starting: String
        var question: String
        var runs: [String]
        var report: [String]
        var refusal: String
        var dark: Double
        var light: Double
        var refused: Int
    }

    /// The keyboard alone does everything: what is there, also where it is encrypted, a backup put on air and held, the
    /// configuration read again, a connection lost.
    @Test func anOperatorSeesAndDoesAllThereIsToDo() async throws {
        let directory = try TemporaryDirectory()
        let channel = { (name: String) in
            "  - name: \(name)\n    input: \(Repository.feed)\n    loop: true\n"
        }
        let configuration = try directory.write(
            "segment-duration: 1\nchannels:\n" + channel("news") + "    backup: \(Repository.feed)\n"
                + channel("sport") + "    encryption: sample-aes\n",
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(["--config", configuration])
        let script = Repository.script("EndToEndTests/Browser/operator_page.py")
        let output = try await Program.run(
            Repository.python,
            [script, try packager.control + "/", "--config", configuration, "--append", channel("films")]
        )
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.channels == ["news", "sport"])
        #expect(seen.colours > 100, "a picture, and not a surface")
        #expect(seen.totals.hasPrefix("2 channels · 0 viewers"))
        #expect(seen.starting.hasPrefix("3 channels · 1 starting · ") && !seen.starting.contains("trouble"))
        #expect(seen.question == "Put backup-1 on air on news?")
        #expect(seen.runs.contains("input") && seen.runs.contains("backup"))
        #expect(seen.report == ["films", "news, sport"])
        #expect(seen.refusal.contains("nonsense"))
        #expect(seen.dark < 40 && seen.light > 220)
        #expect(seen.refused > 0)
        await packager.end()
    }
}
