import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Playlists
import TestSupport
import Testing

@testable import Control

/// Date ranges that are posted to the control API.
@Suite struct DateRangeRouteTests {
    private static func ask(
        _ method: HTTPMethod,
        _ path: String = "",
        _ body: String = "",
        type: String = "application/json"
    ) async throws -> (status: Int, body: String) {
        let answer = await Fixture.server().fetch(
            "/channels/live/dateranges\(path)",
            method,
            ["Content-Type": type],
            body: ByteBuffer(string: body)
        )
        return (Int(answer.status.code), String(buffer: answer.body))
    }

    private static func command(_ json: String) throws -> DateRangeCommand {
        try #require(try DateRangeCommand.posted(json: ByteBuffer(string: json), now: Fixture.now).first)
    }

    @Test func everyAttributeIsReadAsAPlaylistSaysIt() throws {
        let json = """
            {"ID": "a", "CLASS": "com.example", "START-DATE": "2026-11-21T13:00:00+01:00", "DURATION": 12.5, \
            "PLANNED-DURATION": 13, "CUE": ["PRE", "ONCE"], "X-TEXT": "Ünï, 1", "X-NUMBER": -0.25, \
            "X-WHOLE": 7, "X-BYTES": {"hex": "0x0aFF"}, "announce": 10}
            """
        let command = try Self.command(json)
        #expect(
            command.range.text.split(separator: ",X-")[0] == """
                ID="a",CLASS="com.example",START-DATE="2026-11-21T12:00:00.000Z",CUE="PRE,ONCE",DURATION=12.500,\
                PLANNED-DURATION=13.000
                """
        )
        let custom = Dictionary(uniqueKeysWithValues: command.range.custom.map { ($0.name, $0.value) })
        #expect(
            custom == [
                "X-TEXT": .string("Ünï, 1"), "X-NUMBER": .number("-0.25"), "X-WHOLE": .number("7"),
                "X-BYTES": .hexadecimal([0x0A, 0xFF]),
            ]
        )
        #expect(command.content == .dateRange(command.range, announcement: Fixture.now - MediaTime(seconds: 10)))
        // What a playlist says is read as what was meant.
        #expect(DateRange(text: command.range.text) == command.range)
    }

    @Test func anAnswerSaysWithWhichSlotARangeIsTold() async throws {
        let answer = try await Self.ask(.POST, "", #"{"ID": "a", "START-DATE": "now", "announce": 0}"#)
        #expect(answer.status == 200)
        #expect(answer.body.contains("\"slot\" : \(Fixture.now.ticks / 360_000)"), "\(answer.body)")
        let several = #"{"dateranges": [{"ID": "a"}, {"ID": "known"}]}"#
        let mixed = try await Self.ask(.POST, "", several)
        #expect(mixed.status == 200 && mixed.body.contains("already"), "\(mixed.body)")
        #expect(try await Self.ask(.POST, "", #"{"ID": "known"}"#).status == 409)
    }

    @Test(arguments: [
        ("[]", "is not a JSON object"), ("", "is not a JSON object"), ("{}", #"\"ID\" is missing"#),
        (#"{"ID": 7}"#, #"\"ID\" must be a text"#), (#"{"ID": "a\"b"}"#, "no quotation marks"),
        (#"{"ID": "a\nb"}"#, "no quotation marks"), (#"{"ID": "a", "colour": 1}"#, #"unknown key \"colour\""#),
        (#"{"ID": "a{$b}"}"#, "no {$"), (#"{"ID": "a", "CLASS": "{$c"}"#, "no {$"),
        (#"{"ID": "a", "X-A": "Price {$5} today"}"#, "{$"), (#"{"ID": "a", "X-A": "\u007b\u0024token}"}"#, "{$"),
        (#"{"ID": "a", "X-A": ""}"#, "not empty"), (#"{"ID": "a", "X-A": "a\u2028b"}"#, "line breaks"),
        (#"{"ID": "a", "DURATION": 1, "DURATION": 2}"#, #"\"DURATION\" is there twice"#),
        (#"{"dateranges": [{"ID": "a"}, {"ID": "b", "\u0049D": "c"}]}"#, #"\"ID\" is there twice"#),
        (#"{"ID": "a", "START-DATE": "1969-12-31T23:59:59Z"}"#, "between 1970"),
        (#"{"ID": "a", "END-DATE": "9999-01-01T00:00:00Z"}"#, "between 1970"),
        (#"{"ID": "a", "START-DATE": "soon"}"#, #"\"START-DATE\" must be"#),
        (#"{"ID": "a", "START-DATE": 5}"#, #"\"START-DATE\" must be"#),
        (#"{"ID": "a", "DURATION": -1}"#, #"\"DURATION\" must be a number of seconds"#),
        (#"{"ID": "a", "PLANNED-DURATION": 1e300}"#, #"\"PLANNED-DURATION\" must be"#),
        (#"{"ID": "a", "END-ON-NEXT": true}"#, "END-ON-NEXT needs a CLASS"),
        (#"{"ID": "a", "CLASS": "c", "END-ON-NEXT": true, "DURATION": 1}"#, "does not go with DURATION"),
        (#"{"ID": "a", "END-ON-NEXT": "NO"}"#, #"\"END-ON-NEXT\" must be true"#),
        (#"{"ID": "a", "CUE": "PRE,POST"}"#, "PRE and POST at once"),
        (#"{"ID": "a", "CUE": "NOW"}"#, #"\"CUE\" must be"#),
        (#"{"ID": "a", "CUE": []}"#, #"\"CUE\" must be"#), (#"{"ID": "a", "CUE": 7}"#, #"\"CUE\" must be"#),
        (
            #"{"ID": "a", "START-DATE": "2026-11-21T12:00:00Z", "END-DATE": "2026-11-21T11:00:00Z"}"#,
            "END-DATE is before START-DATE"
        ),
        (
            #"{"ID": "a", "START-DATE": "2026-11-21T12:00:00Z", "END-DATE": "2026-11-21T12:00:05Z", "DURATION": 4}"#,
            "contradict each other"
        ),
        (#"{"ID": "a", "X-a": "x"}"#, "capitals, digits and hyphens"), (#"{"ID": "a", "X-": "x"}"#, "capitals"),
        (#"{"ID": "a", "X-A": null}"#, #"\"X-A\" must be a text"#), (#"{"ID": "a", "X-A": 1e-9}"#, #"\"X-A\" must be"#),
        (#"{"ID": "a", "X-A": {"hex": "0"}}"#, #"\"X-A\" must be"#), (#"{"ID": "a", "X-A": [1]}"#, #"\"X-A\" must be"#),
        (#"{"ID": "a", "SCTE35-OUT": "0xFC"}"#, "belongs to a splice"),
        (#"{"dateranges": []}"#, "a list with something in it"),
        (#"{"dateranges": [7]}"#, "dateranges[0] must be an object"),
        (#"{"dateranges": [{"ID": "a"}, {"ID": 3}]}"#, #"dateranges[1]: \"ID\" must be"#),
    ])
    func whatBreaksARuleIsRefusedInWords(body: String, problem: String) async throws {
        let answer = try await Self.ask(.POST, "", body)
        #expect(answer.status == 400 && answer.body.contains(problem), "\(answer.body)")
    }

    @Test func allThatIsWrongIsSaidAtOnce() async throws {
        let answer = try await Self.ask(.POST, "", #"{"START-DATE": 1, "CUE": 1, "X-a": 1, "DURATION": "x"}"#)
        #expect(answer.status == 400)
        for name in ["ID", "START-DATE", "CUE", "X-a", "DURATION"] { #expect(answer.body.contains(name), "\(name)") }
    }

    @Test func moreIsSaidOfARangeAndItIsEnded() async throws {
        #expect(try await Self.ask(.PATCH, "/known", #"{"END-DATE": "now"}"#).status == 200)
        #expect(try await Self.ask(.PATCH, "/other", #"{"END-DATE": "now"}"#).status == 404)
        #expect(try await Self.ask(.PATCH, "/known", #"{"ID": "other"}"#).status == 400)
        let gone = try await Self.ask(.DELETE, "/known")
        #expect(gone.status == 200 && gone.body.contains("withdrawn"))
        #expect(try await Self.ask(.DELETE, "/no%20such%25one").body.contains("no range \\\"no such%one\\\""))
        #expect(try await Self.ask(.PUT, "/known").status == 405)
        #expect(try await Self.ask(.POST, "", "x", type: "text/plain").status == 415)
    }

    @Test func rangesAreListedByTheKeysByWhichTheyArePosted() async throws {
        let answer = try await Self.ask(.GET)
        #expect(answer.status == 200)
        for text in [#""state" : "listed""#, #""X-A" : 1.5"#, #""hex" : "0a""#] {
            #expect(answer.body.contains(text), "\(answer.body)")
        }
    }

    /// Bodies of any kind are answered, whatever they are.
    @Test func strangersBytesAreRefused() async throws {
        var random = SeededGenerator(seed: 7)
        let seeds = [
            #"{"ID": "a", "CLASS": "c", "X-A": {"hex": "00"}, "CUE": ["PRE"], "DURATION": 1.5}"#, "[[[[", "{\"a\":",
        ]
        for _ in 0..<400 {
            var bytes = Array(seeds.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let body = ByteBuffer(bytes: bytes)
            do throws(MalformedRequest) {
                for command in try DateRangeCommand.posted(json: body, now: Fixture.now) {
                    #expect(DateRange(text: command.range.text) == command.range, "\(String(buffer: body))")
                }
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
        let deep = String(repeating: "{\"dateranges\":[", count: 3_000)
        #expect(try await Self.ask(.POST, "", deep).status == 400)
    }
}
