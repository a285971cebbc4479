import Foundation
import Playlists
import TestSupport
import Testing

/// Events that outlive the process.
@Suite(.timeLimit(.minutes(5))) struct EventArchiveTests {
    private struct Event: Decodable, Equatable {
        var number: Int
        var channel: String
        var kind: String
        var message: String
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func start(_ options: [String] = []) async throws -> PackagerProcess {
        try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--state",
                directory.path,
            ]
                + options
        )
    }

    private func events(_ packager: PackagerProcess, _ query: String) async throws -> [Event] {
        let answer = try await HTTP.get("\(try packager.control)/events?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode([Event].self, from: answer.body)
    }

    /// Waits until events are on disk, by a program that we did not write.
    private func written(_ count: Int) async throws {
        let script = """
            import sqlite3, sys
            print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute("SELECT count(*) FROM event").fetchone()[0])
            """
        _ = try await eventually(within: 30, "\(count) events are written") {
            let output = try await Program.run(Repository.python, ["-c", script, directory.file("events.sqlite")])
            return (Int(output.split(separator: "\n").first ?? "") ?? 0) >= count ? true : nil
        }
    }

    @Test func whatHappenedBeforeAKillIsFoundAfterIt() async throws {
        var packager = try await start()
        _ = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let select = ["Content-Type": "application/json"]
        for _ in 0..<3 {
            for body in [#"{"input": "input-1", "hold": true}"#, #"{"automatic": true}"#] {
                _ = try await HTTP.get(
                    "\(try packager.control)/channels/live/select",
                    method: "POST",
                    fields: select,
                    sending: body
                )
            }
        }
        let before = try await events(packager, "limit=1000")
        #expect(before.contains { $0.kind == "input-opened" } && before.contains { $0.kind == "selected" })
        try await written(before.count)
        packager.program.kill()
        _ = await packager.program.exitCode()

        packager = try await start()
        _ = try await packager.mediaPlaylist("video-360p", "segments") { $0.segments.count >= 2 }
        let after = try await events(packager, "after=0&limit=1000")
        #expect(Array(after.prefix(before.count)) == before)
        #expect(after.count > before.count && after.map(\.number) == after.map(\.number).sorted())
        let selected = before.filter { $0.kind == "selected" }
        #expect(try await events(packager, "kind=selected") == selected)
        #expect(
            try await events(packager, "kind=selected&limit=2&before=\(selected[2].number)") == Array(selected[..<2])
        )
        #expect(
            try await events(packager, "text=\(selected[0].message.prefix(5).lowercased())&kind=selected").count > 0
        )
        // A reader that was cut off by the kill continues where it was.
        let reader = try Program(
            "curl",
            [
                "-sN", "-H", "Accept: text/event-stream", "-H", "Last-Event-ID: \(before[1].number)",
                "\(try packager.control)/events",
            ]
        )
        let wanted = after.dropFirst(2).map(\.number)
        let numbers = try await eventually(within: 20, "the reader has them") {
            let numbers = reader.output.matches(of: /id: (\d+)\n/).compactMap { Int($0.1) }
            return numbers.count >= wanted.count ? numbers : nil
        }
        #expect(numbers.starts(with: wanted))
        reader.terminate()
        await packager.end()
    }

    /// The stream continues, and so do events, whatever is in the way.
    @Test func aDamagedDatabaseStopsNothing() async throws {
        let damaged = Data("This is no database. ".utf8) + Data(repeating: 7, count: 40_000)
        try damaged.write(to: URL(filePath: directory.file("events.sqlite")))
        let packager = try await start()
        _ = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let told = try await events(packager, "kind=events")
        #expect(told.count == 1 && told[0].message.contains("renamed"), "\(told)")
        #expect(packager.program.errors.contains("event database damaged: renamed"))
        #expect(try Data(contentsOf: URL(filePath: directory.file("events.sqlite.damaged"))) == damaged)
        try await written(2)
        let metrics = String(decoding: try await HTTP.body("\(try packager.control)/metrics"), as: UTF8.self)
        #expect(metrics.contains("packager_event_archive_healthy 1\n"))
        await packager.end()
    }

    @Test func withoutAStateDirectoryMemoryIsAllThereIs() async throws {
        let packager = try await PackagerProcess(["--input", Repository.feed, "--loop", "--segment-duration", "1"])
        _ = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        #expect(try await events(packager, "channel=live").isEmpty == false)
        let metrics = String(decoding: try await HTTP.body("\(try packager.control)/metrics"), as: UTF8.self)
        #expect(!metrics.contains("packager_event_archive"))
        await packager.end()
    }
}
