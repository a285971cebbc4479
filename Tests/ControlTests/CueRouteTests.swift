import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Testing

@testable import Control

/// Cues that are posted to the control API.
@Suite struct CueRouteTests {
    private static func post(
        _ body: String,
        type: String = "application/json",
        query: String = ""
    ) async throws
        -> (status: Int, body: String)
    {
        let answer = await Fixture.server().fetch(
            "/channels/live/cues\(query)",
            .POST,
            ["Content-Type": type],
            body: ByteBuffer(string: body)
        )
        return (Int(answer.status.code), String(buffer: answer.body))
    }

    @Test func anAnswerSaysWhereACueWillBe() async throws {
        let (status, body) = try await Self.post(#"{"language": "en", "text": "Hello", "duration": 2.5}"#)
        #expect(status == 200)
        let start = Fixture.now
        let slot = start.ticks / 360_000
        let (first, end) = (start.iso8601, "\((start + .init(milliseconds: 2_500)).iso8601)")
        #expect(
            body == """
                {
                  "cues" : [
                    {
                      "end" : "\(end)",
                      "slot" : \(slot),
                      "start" : "\(first)"
                    }
                  ]
                }

                """
        )
    }

    @Test func aWebVTTDocumentCountsFromNowUnlessItSaysOtherwise() async throws {
        let document = "WEBVTT\n\n00:00.000 --> 00:01.000\none\n\n00:02.000 --> 00:03.000\ntwo\n"
        let (status, body) = try await Self.post(document, type: "text/vtt", query: "?language=pt-BR")
        #expect(status == 200 && body.contains(Fixture.now.iso8601))
        let query = "?language=en&origin=2020-01-01T00:00:00Z"
        let old = try await Self.post(document, type: "text/vtt; charset=utf-8", query: query)
        #expect(old.status == 422 && old.body.contains(#""problem" : "it ends before"#))
    }

    @Test(arguments: [
        (
            #"{"language": "fr", "text": "x", "duration": 1}"#,
            #"there are no subtitles \"fr\"; the channel's: en, pt-BR"#
        ),
        (#"{"text": "x", "duration": 1}"#, #"\"language\" is missing; the channel's: en, pt-BR"#),
        ("[", "the body is not a JSON object"), (#"{"language": "en", "cues": []}"#, "a list with something in it"),
        (#"{"language": "en", "cues": 7}"#, "a list with something in it"),
        (#"{"language": 1, "text": "x", "duration": 1}"#, #"\"language\" must be a text"#),
        (#"{"language": "en", "cues": [{"text": "x"}]}"#, #"cues[0]: \"end\", a time after the start"#),
        (#"{"language": "en", "text": " ", "duration": 1}"#, #"\"text\" must be text"#),
        (#"{"language": "en", "text": "x", "start": "soon", "duration": 1}"#, #"\"start\" must be \"now\" or a time"#),
        (#"{"language": "en", "text": "x", "duration": 1, "settings": "a --> b"}"#, #"\"settings\" those of WebVTT"#),
        (#"{"language": "en", "text": "x", "duration": 1e300}"#, "seconds from 0 to 3600"),
        (#"{"language": "en", "text": "x", "duration": 1, "end": "now"}"#, #"\"end\", a time after the start"#),
        (#"{"language": "en", "text": "x", "duraton": 1}"#, #"unknown key \"duraton\""#),
        (#"{"language": "en", "cues": [{"text": "x", "duration": 1, "colour": "red"}]}"#, #"cues[0]: unknown key"#),
    ])
    func whatCannotBeShownIsRefusedInWords(body: String, problem: String) async throws {
        let answer = try await Self.post(body)
        #expect(answer.status == 400 && answer.body.contains(problem), "\(answer.body)")
    }

    @Test func aBrokenDocumentIsRefusedWhole() async throws {
        let document = "WEBVTT\n\n00:00.000 --> 00:01.000\none\n\n00:03.000 --> 00:02.000\ntwo\n"
        let answer = try await Self.post(document, type: "text/vtt", query: "?language=en")
        #expect(answer.status == 400 && answer.body.contains("line 6: a cue ends before it starts"))
        let origin = try await Self.post(document, type: "text/vtt", query: "?language=en&origin=noon")
        #expect(origin.status == 400 && origin.body.contains(#"\"origin\" must be"#))
        #expect(try await Self.post("x", type: "text/plain").status == 415)
    }
}
