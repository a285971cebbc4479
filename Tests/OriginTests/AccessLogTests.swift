import Hummingbird
import HummingbirdTesting
import Testing

@testable import Origin

@Suite struct AccessLogTests {
    @Test func aRequestIsOneLineWithoutItsQuery() async throws {
        let log = LogLines()
        _ = try await Fixture.server(log: log).application.test(.router) { client in
            try await client.execute(
                uri: "/live/audio-en/450000009.m4s?token=secret",
                method: .get,
                headers: [.userAgent: "player/1 \"x\""]
            )
        }
        let line = try #require(log.all.first?.replacing(/duration_us=\d+/, with: "duration_us=N"))
        #expect(
            line == "info request bytes=10 duration_us=N method=GET path=/live/audio-en/450000009.m4s status=200"
                + " user_agent=player/1 'x'"
        )
        #expect(log.all.count == 1)
    }

    @Test func keysAreNotLogged() async throws {
        let log = LogLines()
        _ = try await Fixture.server(log: log).application.test(.router) { client in
            try await client.execute(uri: "/live/keys/\(Fixture.keyID)", method: .get)
            try await client.execute(uri: "/live/clearkey", method: .post, body: ByteBuffer(string: "{}"))
            try await client.execute(uri: "/live/clearkey", method: .post, body: ByteBuffer(string: "!"))
        }
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
