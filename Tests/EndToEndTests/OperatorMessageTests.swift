import Foundation
import TestSupport
import Testing

/// What an operator reads names the feed by its URL, says what it means to viewers and what to do, and shows no secret.
@Suite struct OperatorMessageTests {
    @Test func anInputThatCannotBeOpenedIsNamedWithoutItsSecrets() async throws {
        let port = Ports.free()
        let feed = "http://operator:word@127.0.0.1:\(port)/feed.ts?key=hidden"
        let packager = try await PackagerProcess(["--input", feed])
        let line = try await eventually(within: 30, "the failure is said") {
            packager.program.errors.split(separator: "\n").first { $0.contains("input not opened") }.map(String.init)
        }
        #expect(line.contains("127.0.0.1:\(port)/feed.ts"))
        #expect(line.contains("Connection refused") && line.contains("viewers=") && line.contains("do="))
        #expect(!packager.program.errors.contains("word") && !packager.program.errors.contains("hidden"))
        await packager.end()
    }
}
