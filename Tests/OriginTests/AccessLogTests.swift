import HTTPTypes
import Logging
import Testing

@testable import Origin

@Suite struct AccessLogTests {
    @Test func aRequestIsOneLineWithoutItsQuery() async throws {
        let log = LogLines()
        let uri = "/live/audio-en/450000009.m4s?token=secret"
        _ = try Fixture.server(log: log).fetch(uri, .get, [.userAgent: "player/1 \"x\""])
        let line = try #require(log.all.first?.replacing(/duration_us=\d+/, with: "duration_us=N"))
        #expect(
            line == "debug request bytes=10 duration_us=N method=GET path=/live/audio-en/450000009.m4s status=200"
                + " user_agent=player/1 'x'"
        )
        #expect(log.all.count == 1)
    }

    /// A thousand viewers must not bury the two lines that matter.
    @Test func requestsAreNotLoggedUnlessFaultsAreLookedFor() async throws {
        let log = LogLines(level: .info)
        _ = try Fixture.server(log: log).fetch("/live/index.m3u8")
        #expect(log.all.isEmpty)
    }

    @Test func keysAreNotLogged() async throws {
        let log = LogLines()
        let server = try Fixture.server(log: log)
        _ = server.fetch("/live/keys/\(Fixture.keyID)")
        _ = server.fetch("/live/clearkey", .post, body: "{}")
        _ = server.fetch("/live/clearkey", .post, body: "!")
        #expect(log.all.count == 4)
        #expect(log.all.contains("error keys are not available channel=live error=NoEntropy()"))
        #expect(!log.all.joined().contains("SECRET"))
        #expect(!log.all.joined().contains("5345435245"))
    }

    @Test(arguments: [
        ("plain text", "plain text"), ("a\"b", "a'b"), ("line\r\nforged", "line??forged"), ("\u{1B}[31m", "?[31m"),
        ("é", "??"), ("", ""), (String(repeating: "x", count: 40), String(repeating: "x", count: 32)),
    ])
    func whatClientsSendCannotForgeALine(text: String, printed: String) {
        #expect(AccessLog.printable(text, limit: 32) == printed)
    }
}
