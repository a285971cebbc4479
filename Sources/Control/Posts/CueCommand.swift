import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import TimedText

/// Posted cues, from an operator, a stenographer or a machine.
struct CueCommand: Hashable {
    /// The subtitles' language (BCP 47).
    var language: String
    /// The cues, their times in UTC.
    var cues: [TimedCue] = []

    /// Reads `{"language": "en", "cues": [CUE, …]}`, or one cue with its language.
    ///
    /// A cue is `{"text": "…", "start": TIME, "end": TIME}`, with `"duration"` in seconds instead of `"end"` if that is
    /// easier, and WebVTT's `"settings"` if there are any. A time is `"now"`, which is the default of start, or UTC in
    /// ISO 8601. The text is plain: nothing in it is a tag.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - now: The time of "now".
    /// - Throws: ``MalformedRequest`` with all problems.
    init(json: ByteBuffer, now: MediaTime) throws(MalformedRequest) {
        var fields = try CommandFields(json: json, now: now)
        language = fields.takeText("language", in: 0...64) ?? ""
        if fields.has("cues") {
            cues = fields.takeList("cues") { fields in
                let cue = fields.takeCue()
                fields.refuseOthers(known: Self.keys)
                return cue
            }
            fields.refuseOthers(known: "language, cues")
        } else {
            cues = [fields.takeCue()].compactMap(\.self)
            fields.refuseOthers(known: "language, cues; or language, \(Self.keys)")
        }
        try fields.check()
        try checkTimes()
    }

    private static let keys = "text, start, end, duration, settings"

    /// Reads a WebVTT document.
    ///
    /// - Parameters:
    ///   - webVTT: The document.
    ///   - target: The target of the request. Its query has `language`, and `origin` for the zero of times: `now`,
    ///     `midnight` or UTC in ISO 8601; the default is now.
    ///   - now: UTC.
    /// - Throws: ``MalformedRequest`` with all problems.
    init(webVTT: ByteBuffer, target: String, now: MediaTime) throws(MalformedRequest) {
        let items = URLComponents(string: target)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        language = values["language"] ?? ""
        let origin: TimedTextOrigin
        switch values["origin"] {
        case nil, "now": origin = .utc(now)
        case "midnight": origin = .midnight
        case let text?:
            // A plus sign is a space in the queries that forms make.
            guard let time = MediaTime(iso8601: text.replacing(" ", with: "+")), MediaTime.eventTimes.contains(time)
            else {
                throw MalformedRequest("\"origin\" must be now, midnight or a time like 2026-11-23T08:00:00Z")
            }
            origin = .utc(time)
        }
        do throws(TimedTextError) {
            let document = try TimedTextDocument(parsing: webVTT.readableBytesView)
            if !document.problems.isEmpty { throw TimedTextError(document.problems.joined(separator: "; ")) }
            cues = document.cues.map { origin.utc($0, now: now) }
        } catch {
            throw MalformedRequest("\(error)")
        }
        if cues.isEmpty { throw MalformedRequest("there is no cue") }
        try checkTimes()
    }

    private func checkTimes() throws(MalformedRequest) {
        let times = MediaTime.eventTimes
        guard cues.allSatisfy({ times.contains($0.start) && times.contains($0.end) }) else {
            throw MalformedRequest("a cue lies before 1970 or after \(times.upperBound.iso8601.prefix(4))")
        }
    }

    func check(languages: [String]) throws(MalformedRequest) {
        if languages.contains(language) { return }
        let known = languages.isEmpty ? "it has none; declare some with --subtitles" : languages.joined(separator: ", ")
        let what = language.isEmpty ? "\"language\" is missing" : "there are no subtitles \"\(language)\""
        throw MalformedRequest("\(what); the channel's: \(known)")
    }

    /// The cues for the channel's schedule.
    var content: ScheduleAction.Content {
        .cues(
            language: language,
            cues.map { ScheduledCue(start: $0.start, end: $0.end, payload: $0.content.bytes) }
        )
    }
}

extension CommandFields {
    /// Reads one cue; returns nil if a field is wrong, with the reason in `problems`.
    fileprivate mutating func takeCue() -> TimedCue? {
        let before = problems.count
        let start = takeTime("start") ?? now
        let (end, duration) = (takeTime("end"), takeSeconds("duration", upTo: 3600))
        let text = takeText("text", in: 0...1 << 16)
        let settings = takeText("settings", in: 0...4096) ?? ""
        guard problems.count == before else { return nil }
        guard let plain = CueContent(plain: text ?? ""), let content = CueContent(text: plain.text, settings: settings)
        else {
            refuse("\"text\" must be text of up to 64 KiB, and \"settings\" those of WebVTT")
            return nil
        }
        let last = end == nil ? duration.map { start + $0 } : duration == nil ? end : nil
        guard let last, last > start else {
            refuse("\"end\", a time after the start, or \"duration\" is needed")
            return nil
        }
        return TimedCue(start: start, end: last, content: content)
    }
}
