import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Synchronization
import TestSupport
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

    private func line(
        _ format: LogFormat,
        userAgent: String = "player/1 \"x\"",
        protocolName: String = "HTTP/1.1"
    ) -> String {
        var request = Request(
            .GET,
            "/live/index.m3u8?token=secret",
            ["User-Agent": userAgent, "Referer": "https://example.com/watch?id=7"]
        )
        request.protocolName = protocolName
        var record = AccessRecord(
            request,
            Answer(.ok, [:], ByteBuffer(string: "0123456789")),
            duration: .microseconds(250)
        )
        record.client = "192.0.2.7"
        var (line, texts) = (ByteBuffer(), AccessTimeText())
        record.write(to: &line, format, at: MediaTime(milliseconds: 1_795_000_000_250), &texts)
        return String(buffer: line)
    }

    /// The format is that of Apache and nginx, so that what reads their logs reads these.
    @Test func aRecordIsALineOfTheCombinedLogFormat() {
        #expect(
            line(.text)
                == """
                192.0.2.7 - - [18/Nov/2026:11:06:40 +0000] "GET /live/index.m3u8 HTTP/1.1" 200 10 \
                "https://example.com/watch" "player/1 'x'" 250

                """
        )
        #expect(line(.text, protocolName: "HTTP/2.0").contains(#""GET /live/index.m3u8 HTTP/2.0""#))
        #expect(line(.text, userAgent: "").hasSuffix(#""https://example.com/watch" "-" 250"# + "\n"))
    }

    @Test func aRecordIsAnObjectOfJSON() {
        #expect(
            line(.json)
                == """
                {"time":"2026-11-18T11:06:40.250Z","client":"192.0.2.7","method":"GET","path":"/live/index.m3u8",\
                "protocol":"HTTP/1.1","referer":"https://example.com/watch","user_agent":"player/1 'x'",\
                "status":200,"bytes":10,"duration_us":250}

                """
        )
        #expect(line(.json, userAgent: #"a\b"#).contains(#""user_agent":"a\\b""#))
    }

    @Test func theTimeOfLinesIsThatOfTheirSecond() {
        var texts = AccessTimeText()
        let second = MediaTime(seconds: 1_795_000_000)
        #expect(texts.text(.text, at: second) == "18/Nov/2026:11:06:40 +0000")
        #expect(texts.text(.text, at: second + MediaTime(milliseconds: 999)) == "18/Nov/2026:11:06:40 +0000")
        #expect(texts.text(.text, at: second + MediaTime(seconds: 1)) == "18/Nov/2026:11:06:41 +0000")
        #expect(texts.text(.text, at: second) == "18/Nov/2026:11:06:40 +0000")
    }

    // MARK: Hand-over

    /// The texts that were handed over, with the number of lines of each.
    private final class Written: Sendable {
        private let state = Mutex<[(text: String, count: Int)]>([])

        var all: [(text: String, count: Int)] { state.withLock { $0 } }

        var sink: AccessLog.Sink {
            AccessLog.Sink(.text) { text, count in self.state.withLock { $0.append((text, count)) } }
        }
    }

    private static func append(_ count: Int, to log: AccessLog) {
        for _ in 0..<count {
            log.record(Request(.GET, "/live/index.m3u8"), Answer(.ok, [:], ByteBuffer()), duration: .zero)
        }
    }

    @Test func linesAreHandedOverTogether() {
        let written = Written()
        let log = AccessLog(logger: Logger(label: "origin") { _ in LogLines(level: .info) }, sink: written.sink)
        Self.append(3, to: log)
        log.flush()
        #expect(written.all.reduce(0) { $0 + $1.count } == 3)
        #expect(written.all.allSatisfy { $0.text.split(separator: "\n").count == $0.count && !$0.text.hasSuffix("\n") })
        let count = written.all.count
        log.flush()
        #expect(written.all.count == count)
    }

    /// However many requests there are, no more than a buffer of lines waits.
    @Test func aFullBufferIsHandedOverAtOnce() {
        let written = Written()
        let log = AccessLog(logger: Logger(label: "origin") { _ in LogLines(level: .info) }, sink: written.sink)
        Self.append(10_000, to: log)
        let lines = written.all.reduce(0) { $0 + $1.count }
        #expect(lines > 9_500)
        #expect(written.all.allSatisfy { $0.text.utf8.count < 33 * 1024 })
        log.flush()
        #expect(written.all.reduce(0) { $0 + $1.count } == 10_000)
    }

    @Test(.timeLimit(.minutes(5))) func aLineIsHandedOverByItself() async throws {
        let written = Written()
        let log = AccessLog(logger: Logger(label: "origin") { _ in LogLines(level: .info) }, sink: written.sink)
        Self.append(1, to: log)
        _ = try await eventually(within: 30, "it is written") { written.all.isEmpty ? nil : true }
    }

    @Test func theLastLinesAreNotLost() {
        let written = Written()
        do {
            let log = AccessLog(logger: Logger(label: "origin") { _ in LogLines(level: .info) }, sink: written.sink)
            Self.append(1, to: log)
        }
        #expect(written.all.count == 1)
    }

    @Test func keysAreNotLogged() async throws {
        let log = LogLines()
        let server = try Fixture.server(log: log)
        _ = server.fetch("/live/keys/\(Fixture.keyID)")
        _ = server.fetch("/live/clearkey", .POST, body: "{}")
        _ = server.fetch("/live/clearkey", .POST, body: "!")
        #expect(log.all.count == 4)
        let failure = try #require(log.all.first { $0.hasPrefix("error keys are not available channel=live") })
        #expect(failure.contains(" do=") && failure.contains(" error=NoEntropy() viewers="), "\(failure)")
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
