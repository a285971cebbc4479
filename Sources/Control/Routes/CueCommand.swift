import Foundation
import MediaCore
import NIOCore
import Playlists
import Scheduling
import TimedText

/// Cues that an operator, a stenographer or a machine wants shown.
struct CueCommand: Hashable {
    /// The subtitles' language (BCP 47).
    var language: String
    /// In UTC.
    var cues: [TimedCue] = []

    /// Everything that is wrong with a command.
    struct Malformed: Error, Hashable {
        var problems: [String]
    }

    /// Reads `{"language": "en", "cues": [CUE, …]}`, or one cue with its language.
    ///
    /// A cue is `{"text": "…", "start": TIME, "end": TIME}`, with `"duration"` in seconds instead of `"end"` if that is
    /// easier, and WebVTT's `"settings"` if there are any. A time is `"now"`, which start is unless it says otherwise, or UTC by
    /// ISO 8601. The text is as it is to be read: nothing in it is a tag.
    init(json: ByteBuffer, now: MediaTime) throws(Malformed) {
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: Data(json.readableBytesView))
        } catch {
            throw Malformed(problems: ["the body is no JSON of cues: {\"language\": \"en\", \"cues\": [{\"text\": …}]}"]
            )
        }
        var problems: [String] = []
        language = body.language ?? ""
        for (index, item) in (body.cues ?? [body.cue]).enumerated() {
            do throws(Malformed) {
                cues.append(try item.timed(now: now))
            } catch {
                problems += error.problems.map { body.cues == nil ? $0 : "cues[\(index)]: \($0)" }
            }
        }
        if cues.isEmpty, problems.isEmpty { problems.append("there is no cue") }
        if !problems.isEmpty { throw Malformed(problems: problems) }
    }

    /// Reads a WebVTT document.
    ///
    /// - Parameters:
    ///   - webVTT: The document.
    ///   - target: The request's, whose query says `language`, and `origin`: what times count from, `now`, `midnight` or UTC by
    ///     ISO 8601; now unless it says otherwise.
    ///   - now: UTC.
    /// - Throws: ``Malformed`` with all problems.
    init(webVTT: ByteBuffer, target: String, now: MediaTime) throws(Malformed) {
        let items = URLComponents(string: target)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        language = values["language"] ?? ""
        let origin: TimedTextOrigin
        switch values["origin"] {
        case nil, "now": origin = .utc(now)
        case "midnight": origin = .midnight
        case let text?:
            // A plus sign is a space in the queries that forms make.
            guard let time = MediaTime(iso8601: text.replacing(" ", with: "+")) else {
                throw Malformed(problems: ["\"origin\" must be now, midnight or a time like 2026-11-23T08:00:00Z"])
            }
            origin = .utc(time)
        }
        do throws(TimedTextError) {
            let document = try TimedTextDocument(parsing: webVTT.readableBytesView)
            if !document.problems.isEmpty { throw TimedTextError(document.problems.joined(separator: "; ")) }
            cues = document.cues.map { origin.utc($0, now: now) }
        } catch {
            throw Malformed(problems: ["\(error)"])
        }
        if cues.isEmpty { throw Malformed(problems: ["there is no cue"]) }
    }

    func check(languages: [String]) throws(Malformed) {
        if languages.contains(language) { return }
        let known = languages.isEmpty ? "it has none; declare some with --subtitles" : languages.joined(separator: ", ")
        let what = language.isEmpty ? "\"language\" is missing" : "there are no subtitles \"\(language)\""
        throw Malformed(problems: ["\(what); the channel's: \(known)"])
    }

    /// What the channel is to show.
    var content: ScheduleAction.Content {
        .cues(
            language: language,
            cues.map { ScheduledCue(start: $0.start, end: $0.end, payload: $0.content.bytes) }
        )
    }

    private struct Body: Decodable {
        var language: String?
        var cues: [Item]?
        var cue: Item

        private enum CodingKeys: String, CodingKey { case language, cues }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            language = try container.decodeIfPresent(String.self, forKey: .language)
            cues = try container.decodeIfPresent([Item].self, forKey: .cues)
            cue = try Item(from: decoder)
        }
    }

    private struct Item: Decodable {
        var text: String?
        var start: String?
        var end: String?
        var duration: Double?
        var settings: String?

        func timed(now: MediaTime) throws(Malformed) -> TimedCue {
            guard let start = Self.time(start ?? "now", now: now) else {
                throw Malformed(problems: ["\"start\" must be now or a time like 2026-11-23T08:00:00.000Z"])
            }
            let last: MediaTime?
            switch (end, duration) {
            case (let end?, nil): last = Self.time(end, now: now)
            case (nil, let duration?) where (0...3600).contains(duration):
                last = start + MediaTime(milliseconds: Int64(duration * 1000))
            default: last = nil
            }
            guard let last, last > start else {
                throw Malformed(problems: [
                    "\"end\", a time after the start, or \"duration\", up to 3600 seconds, is needed"
                ])
            }
            guard let plain = CueContent(plain: text ?? ""),
                let content = CueContent(text: plain.text, settings: settings ?? "")
            else {
                throw Malformed(problems: ["\"text\" must be text of up to 64 KiB, and \"settings\" those of WebVTT"])
            }
            return TimedCue(start: start, end: last, content: content)
        }

        private static func time(_ text: String, now: MediaTime) -> MediaTime? {
            text == "now" ? now : MediaTime(iso8601: text)
        }
    }
}
