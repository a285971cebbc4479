import MediaCore
import NIOCore
import Operations

/// A posted request for a finished asset.
enum RecordingCommand {
    static let known =
        "from, to, programme, title, breaks, form, keys, rendition, chapters, chapter-class, keep-for"
    private static let mostChapters = 500
    /// Ten years, in seconds.
    private static let longestKeeping = 315_360_000

    /// Reads the body of a request.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - now: The time of "now".
    /// - Returns: The request.
    /// - Throws: ``MalformedRequest`` with all problems.
    static func request(json: ByteBuffer, now: MediaTime) throws(MalformedRequest) -> AssetRequest {
        var fields = try CommandFields(json: json, now: now)
        var request = AssetRequest()
        request.from = fields.takeTime("from").map(Timestamp.init)
        request.to = fields.takeTime("to").map(Timestamp.init)
        request.programme = fields.takeObject("programme") { $0.takeProgramme() }
        request.title = fields.takeText("title", in: 1...500)
        request.cutsBreaks = fields.takeWord("breaks", among: ["keep", "cut"]) == "cut"
        if let form = fields.takeWord("form", among: AssetRequest.Form.allCases.map(\.rawValue)) {
            request.form = AssetRequest.Form(rawValue: form) ?? .copy
        }
        if let keys = fields.takeWord("keys", among: AssetRequest.Keys.allCases.map(\.rawValue)) {
            request.keys = AssetRequest.Keys(rawValue: keys) ?? .same
        }
        if request.keys == .new, request.form != .copy {
            let reason = request.form == .mp4 ? "an MP4 file is in the clear" : "a reference has no segments of its own"
            fields.refuse("\"keys\" can be new of the form copy alone: \(reason)")
        }
        request.rendition = fields.takeText("rendition", in: 1...200)
        if fields.has("chapters") { request.chapters = fields.takeList("chapters") { $0.takeChapter() } }
        if request.chapters.count > mostChapters {
            fields.refuse("\"chapters\" must be \(mostChapters) at most")
        }
        request.chapters.sort { $0.start < $1.start }
        if let stray = request.chapters.first(where: { !request.includes($0.start) }) {
            fields.refuse("\"chapters\" must lie between \"from\" and \"to\": \(stray.start.iso8601) does not")
        }
        request.chapterClass = fields.takeText("chapter-class", in: 1...200)
        request.keepFor = fields.takeInteger("keep-for", in: 60...longestKeeping)
        fields.refuseOthers(known: known)
        try fields.check()
        return request
    }
}

extension AssetRequest {
    /// Returns true if a time is within the range, as far as the request gives its ends.
    fileprivate func includes(_ time: MediaTime) -> Bool {
        from.map { $0.time <= time } ?? true && to.map { time < $0.time } ?? true
    }
}

extension CommandFields {
    fileprivate mutating func takeProgramme() -> ProgrammeChoice? {
        let id = takeText("date-range", in: 1...500).map { ProgrammeChoice.dateRange(id: $0) }
        let name = takeText("class", in: 1...500).map { ProgrammeChoice.className($0) }
        let event = takeInteger("event", in: 0...Int(UInt32.max)).map { ProgrammeChoice.event(UInt32($0)) }
        refuseOthers(known: "date-range, class, event")
        let choices = [id, name, event].compactMap(\.self)
        if choices.count != 1 { refuse("give one of date-range, class and event") }
        return choices.first
    }

    fileprivate mutating func takeChapter() -> AssetChapter? {
        let (start, title) = (takeTime("at"), takeText("title", in: 1...500))
        let language = takeText("language", in: 1...64)
        refuseOthers(known: "at, title, language")
        guard let start else {
            if !problems.contains(where: { $0.contains("\"at\"") }) { refuse("\"at\" is missing") }
            return nil
        }
        return AssetChapter(start: start, title: title, language: language)
    }

    fileprivate mutating func takeWord(_ name: String, among words: [String]) -> String? {
        guard let value = take(name) else { return nil }
        if case .string(let word) = value, words.contains(word) { return word }
        refuse("\"\(name)\" must be one of \(words.joined(separator: ", "))")
        return nil
    }
}
