import ArgumentParser
import Assets
import Fetching
import Testing

@testable import packager

/// `packager record` says in words why it does nothing.
@Suite struct RecordCommandTests {
    private static let times = ["--from", "2026-11-27T20:00:00Z", "--to", "2026-11-27T21:00:00Z"]
    private static let places = ["--recording", "/nowhere/live", "--output", "/nowhere/show/"]

    private static let refused: [(arguments: [String], reason: String)] = [
        (["--recording", "/nowhere/live"] + times, "go together"),
        (["--output", "/nowhere/show"] + times, "go together"),
        (places, "--from is needed"), (places + ["--from", "2026-11-27T20:00:00Z"], "--to is needed"),
        (places + ["--from", "yesterday", "--to", "now"], "'yesterday' is not a time"),
        (places + ["--from", "2026-11-27T20:00:00Z", "--to", "2026-11-27T20:00:00Z"], "later than"),
        (places + times + ["--event", "1"], "programmes"), (places + times + ["--form", "reference"], "reference"),
        (places + times + ["--keys", "new"], "rekey"), (places + times + ["--keep-for", "60"], "--keep-for"),
        (["--recording", "/nowhere/live", "--output", "/"] + times, "is not the path"),
        (["--recording", "/nowhere/live", "--output", "/tmp/"] + times, "exists already"),
        (places + times, "no recording.json"),
    ]

    private static func problem(_ arguments: [String]) throws -> String? {
        let command = try Record.parse(["live"] + arguments)
        do {
            _ = try command.order()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: refused)
    func whatIsRefusedSaysWhy(arguments: [String], reason: String) throws {
        let problem = try Self.problem(arguments)
        #expect(problem?.contains(reason) == true, "\(problem ?? "it is not refused")")
    }

    @Test func aRefusalHasTheExitCodeOfRefusals() async throws {
        let command = try Record.parse(["live"] + Self.places + Self.times)
        await #expect(throws: ExitCode(2)) { try await command.run() }
    }

    @Test func aControlAPIThatDoesNotAnswerIsNamed() throws {
        let command = try Record.parse(["live", "--control", "http://packager.example.com:8081"])
        #expect(
            command.reason(for: FetchError.connection("Connection refused"))
                == "http://packager.example.com:8081: no connection: Connection refused; give the address of the control "
                + "API with --control"
        )
    }

    /// Whether that time is outside the recording or all of it is gaps.
    @Test func aTimeWithoutMediaIsRefused() {
        #expect(Record.exitCode(for: AssetError.nothingRecorded) == ExitCode(2))
        #expect(Record.exitCode(for: ClipError.nothingRecorded) == ExitCode(2))
        #expect(Record.exitCode(for: AssetError.noRoom(missing: 1)) == ExitCode(1))
    }
}
