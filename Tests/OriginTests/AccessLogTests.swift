import Foundation
import HTTPServing
import Logging
import NIOCore
import NIOHTTP1
import Operations
import Testing

@testable import Origin

@Suite struct AccessLogTests {
    @Test func aRequestIsOneLineWithoutItsQuery() async throws {
        let log = LogLines()
        let uri = "/live/audio-en/450000009.m4s?token=secret"
        _ = try Fixture.server(log: log).fetch(uri, .GET, ["User-Agent": "player/1 \"x\""])
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

    private func record(_ userAgent: String = "player/1 \"x\"") -> AccessRecord {
        let request = Request(
            .GET,
            "/live/index.m3u8?token=secret",
            ["User-Agent": userAgent, "Referer": "https://example.com/watch?id=7"]
        )
        var record = AccessRecord(
            request,
            Answer(.ok, [:], ByteBuffer(string: "0123456789")),
            duration: .microseconds(250),
            at: Date(timeIntervalSince1970: 1_795_000_000.25)
        )
        record.client = "192.0.2.7"
        return record
    }

    /// The format is that of Apache and nginx, so that what reads their logs reads these.
    @Test func aRecordIsALineOfTheCombinedLogFormat() {
        #expect(
            record().text(.text)
                == """
                192.0.2.7 - - [18/Nov/2026:11:06:40 +0000] "GET /live/index.m3u8 HTTP/1.1" 200 10 \
                "https://example.com/watch" "player/1 'x'" 250
                """
        )
        #expect(record("").text(.text).hasSuffix(#""https://example.com/watch" "-" 250"#))
    }

    @Test func aRecordIsAnObjectOfJSON() {
        #expect(
            record().text(.json)
                == """
                {"time":"2026-11-18T11:06:40.250Z","client":"192.0.2.7","method":"GET","path":"/live/index.m3u8",\
                "referer":"https://example.com/watch","user_agent":"player/1 'x'","status":200,"bytes":10,"duration_us":250}
                """
        )
    }

    @Test func keysAreNotLogged() async throws {
        let log = LogLines()
        let server = try Fixture.server(log: log)
        _ = server.fetch("/live/keys/\(Fixture.keyID)")
        _ = server.fetch("/live/clearkey", .POST, body: "{}")
        _ = server.fetch("/live/clearkey", .POST, body: "!")
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
