import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import TestSupport
import Testing

@testable import Control

/// Finished recordings that are posted to the control API.
@Suite struct RecordingRouteTests {
    private static func request(_ json: String) throws -> AssetRequest {
        try RecordingCommand.request(json: ByteBuffer(string: json), now: Fixture.now)
    }

    private static func problems(_ json: String) -> [String] {
        do throws(MalformedRequest) {
            _ = try RecordingCommand.request(json: ByteBuffer(string: json), now: Fixture.now)
            return []
        } catch {
            return error.problems
        }
    }

    @Test func everythingIsRead() throws {
        let request = try Self.request(
            """
            {"from": "2026-11-21T10:00:00Z", "to": "now", "title": "Concert", "breaks": "cut", "form": "mp4", \
            "rendition": "video-720p", "chapters": [{"at": "2026-11-21T10:30:00Z"}, \
            {"at": "2026-11-21T10:10:00Z", "title": "One", "language": "en"}], "chapter-class": "com.example", \
            "keep-for": 86400}
            """
        )
        #expect(request.from?.time == MediaTime(iso8601: "2026-11-21T10:00:00Z") && request.to?.time == Fixture.now)
        #expect(request.title == "Concert" && request.cutsBreaks && request.form == .mp4)
        #expect(request.rendition == "video-720p" && request.chapterClass == "com.example" && request.keepFor == 86_400)
        #expect(request.chapters.map(\.title) == ["One", nil])
        #expect(request.keys == .same)
        #expect(try Self.request(#"{"from": "now", "to": "now", "keys": "new"}"#).keys == .new)
    }

    /// Their media is not encrypted, or not their own.
    @Test(arguments: ["mp4", "reference"]) func onlyACopyHasNewKeys(form: String) throws {
        let problems = Self.problems(#"{"form": "\#(form)", "keys": "new"}"#)
        #expect(
            problems.count == 1 && problems[0].hasPrefix(#""keys" can be new of the form copy alone"#),
            "\(problems)"
        )
        #expect(try Self.request(#"{"form": "\#(form)", "keys": "same"}"#).keys == .same)
    }

    @Test func withoutWordsAllIsCopiedAndKept() throws {
        let request = try Self.request(#"{"programme": {"class": "com.example.show"}}"#)
        #expect(request.programme == .className("com.example.show"))
        #expect(request.form == .copy && !request.cutsBreaks && request.keepFor == nil && request.chapters.isEmpty)
        #expect(try Self.request(#"{"programme": {"event": 4294967295}}"#).programme == .event(.max))
        #expect(try Self.request(#"{"programme": {"date-range": "a"}}"#).programme == .dateRange(id: "a"))
    }

    @Test func problemsAreNamed() {
        #expect(Self.problems(#"{"form": "dvd"}"#) == [#""form" must be one of copy, reference, mp4"#])
        #expect(Self.problems(#"{"breaks": true}"#) == [#""breaks" must be one of keep, cut"#])
        #expect(Self.problems(#"{"keys": "mine"}"#) == [#""keys" must be one of same, new"#])
        #expect(Self.problems(#"{"programme": 7}"#) == [#""programme" must be an object"#])
        #expect(Self.problems(#"{"programme": {}}"#) == ["programme: give one of date-range, class and event"])
        #expect(
            Self.problems(#"{"programme": {"event": 1, "class": "a"}}"#)
                == ["programme: give one of date-range, class and event"]
        )
        #expect(Self.problems(#"{"chapters": [{"title": "a"}]}"#) == [#"chapters[0]: "at" is missing"#])
        #expect(Self.problems(#"{"keep-for": 1}"#).count == 1)
        #expect(Self.problems(#"{"path": "/etc"}"#) == [#"unknown key "path"; keys: \#(RecordingCommand.known)"#])
        let many = Array(repeating: #"{"at": "now"}"#, count: 501).joined(separator: ",")
        #expect(Self.problems("{\"chapters\": [\(many)]}") == [#""chapters" must be 500 at most"#])
    }

    /// As far as the range is known: that of a programme may not be.
    @Test(arguments: [
        (#""from": "2026-11-21T10:00:00Z", "to": "2026-11-21T11:00:00Z""#, ["09:59:59", "11:00:00"]),
        (#""from": "2026-11-21T10:00:00Z", "programme": {"event": 7}"#, ["09:59:59"]),
        (#""to": "2026-11-21T11:00:00Z", "programme": {"event": 7}"#, ["11:00:00"]),
        (#""programme": {"event": 7}"#, []),
    ])
    func aChapterOutsideOfTheRangeIsRefused(range: String, refused: [String]) {
        for time in ["09:59:59", "10:00:00", "10:59:59", "11:00:00"] {
            let chapters = #"[{"at": "2026-11-21T10:30:00Z"}, {"at": "2026-11-21T\#(time)Z"}]"#
            let problem = #""chapters" must lie between "from" and "to": 2026-11-21T\#(time).000Z does not"#
            let problems = Self.problems(#"{\#(range), "chapters": \#(chapters)}"#)
            #expect(problems == (refused.contains(time) ? [problem] : []))
        }
    }

    @Test func whatDestinationsHaveIsTold() async throws {
        let answer = await Fixture.server().fetch("/channels/live/recordings/known", .GET)
        let text = String(buffer: answer.body)
        #expect(text.contains(#""state" : "running""#) && text.contains(#""stored" : 100"#), "\(text)")
        #expect(text.contains(#""state" : "pending""#), "\(text)")
    }

    @Test func aRecordingIsPostedReadAndRemoved() async throws {
        let server = Fixture.server()
        func ask(_ method: HTTPMethod, _ path: String = "", _ body: String = "") async -> (Int, String) {
            let answer = await server.fetch(
                "/channels/live/recordings\(path)",
                method,
                ["Content-Type": "application/json"],
                body: ByteBuffer(string: body)
            )
            return (Int(answer.status.code), String(buffer: answer.body))
        }
        let posted = await ask(.POST, "", #"{"programme": {"event": 7}, "title": "Concert"}"#)
        #expect(posted.0 == 202 && posted.1.contains(#""state" : "waiting""#), "\(posted.1)")
        #expect(await ask(.GET).1.contains(#""title" : "Concert""#))
        #expect(await ask(.GET, "/new").0 == 200)
        #expect(await ask(.DELETE, "/new").0 == 200)
        #expect(await ask(.GET, "/new").0 == 404)
        #expect(await ask(.DELETE, "/new").0 == 404)
    }
}
