import ContentProtection
import Foundation
import MediaCore
import TestSupport
import Testing

/// The control API of the real program does what its OpenAPI document says.
@Suite(.timeLimit(.minutes(5))) struct ControlContractTests {
    /// One channel is on air all the time, and another one is added, changed and removed.
    @Test func everyAnswerIsInTheDocument() async throws {
        let directory = try TemporaryDirectory()
        let token = "contract-token"
        let hash = try MessageDigest.sha256.digest(Array(token.utf8)).hex
        let tokens = try directory.write("contract administrator \(hash)\n", to: "tokens")
        let configuration = """
            segment-duration: 1
            control-tokens: \(tokens)
            channels:
              - name: live
                input: \(Repository.smallFeed)
                backup: \(Repository.smallFeed)
                loop: true
                subtitles: [{ language: en }]
            """
        let packager = try await PackagerProcess(["--config", try directory.write(configuration, to: "packager.yaml")])
        let control = try packager.control
        _ = try await eventually(within: 30, "the channel is on air") {
            try await HTTP.get("\(control)/readyz?on-air").status == 200 ? true : nil
        }
        let script = Repository.script("EndToEndTests/Control/contract.py")
        print(try await Program.run(Repository.python, [script, control, "--token", token]))
        #expect(await packager.end() == 0)
    }
}
