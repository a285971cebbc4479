import MediaCore
import NIOCore
import Operations
import Playlists

/// A request to announce or extend a date range; its keys are the attributes of EXT-X-DATERANGE (RFC 8216bis §
/// 4.4.5.1).
struct DateRangeCommand: PostedCommand, Hashable {
    var range: DateRange
    /// The time before its date at which the range is announced.
    private var lead: MediaTime

    /// The default lead: enough for a player to fetch the resources of a range.
    private static let usualLead = MediaTime(seconds: 30)
    private static let longestRange = 31 * 86_400.0
    private static let attributes =
        "ID, CLASS, START-DATE, END-DATE, DURATION, PLANNED-DURATION, END-ON-NEXT, CUE, X-…; announce"

    static let plural = "dateranges"

    /// Reads `{"ID": …, "CLASS": …, "START-DATE": TIME, "X-…": …, "announce": SECONDS}`.
    ///
    /// The default of START-DATE is now.
    init(_ fields: inout CommandFields) {
        self.init(&fields, updating: nil)
        // All problems of the range by itself; the channel checks it among others.
        for problem in [range].problems { fields.refuse("\(problem.reason)") }
    }

    /// Reads additional attributes of a range.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - id: The ID of the range.
    ///   - now: The time of "now".
    /// - Throws: ``MalformedRequest`` with all problems.
    init(json: ByteBuffer, updating id: String, now: MediaTime) throws(MalformedRequest) {
        var fields = try CommandFields(json: json, now: now)
        self.init(&fields, updating: id)
        try fields.check()
    }

    private init(_ fields: inout CommandFields, updating known: String?) {
        range = DateRange(id: fields.takeQuotable("ID", upTo: 256) ?? known ?? "")
        if range.id.isEmpty, fields.problems.isEmpty { fields.refuse("\"ID\" is missing") }
        if let known, range.id != known { fields.refuse("\"ID\" must be that of the path, \"\(known)\"") }
        range.className = fields.takeQuotable("CLASS", upTo: 256)
        range.start = fields.takeTime("START-DATE") ?? (known == nil ? fields.now.wholeMilliseconds : nil)
        range.end = fields.takeTime("END-DATE")
        range.duration = fields.takeSeconds("DURATION", upTo: Self.longestRange)
        range.plannedDuration = fields.takeSeconds("PLANNED-DURATION", upTo: Self.longestRange)
        lead = fields.takeSeconds("announce", upTo: 3600) ?? Self.usualLead
        range.takeEndOnNext(from: &fields)
        range.takeCues(from: &fields)
        for name in fields.names where name.hasPrefix("X-") { range.takeCustom(name, from: &fields) }
        for name in fields.names where name.hasPrefix("SCTE35-") {
            _ = fields.take(name)
            fields.refuse("\"\(name)\" belongs to a splice: POST …/splices")
        }
        fields.refuseOthers(known: Self.attributes)
        if range.text.utf8.count > 16_384 { fields.refuse("its attributes take more than 16384 bytes") }
    }

    var content: ScheduleAction.Content {
        .dateRange(range, announcement: max(.zero, (range.start ?? .zero) - lead))
    }

    func answer(_ outcome: ScheduleOutcome) -> ScheduleAnswer { ScheduleAnswer(id: range.id, outcome) }
}

extension DateRange {
    fileprivate mutating func takeEndOnNext(from fields: inout CommandFields) {
        switch fields.take("END-ON-NEXT") {
        case nil: break
        case .bool(true), .string("YES"): endsOnNext = true
        default: fields.refuse("\"END-ON-NEXT\" must be true, or left out")
        }
    }

    fileprivate mutating func takeCues(from fields: inout CommandFields) {
        guard let value = fields.take("CUE") else { return }
        var names: [String] = []
        switch value {
        case .string(let text): names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        case .array(let values):
            names = values.map { if case .string(let name) = $0 { name } else { "" } }
        default: break
        }
        cues = names.compactMap { Cue(rawValue: $0) }
        guard cues.count != names.count || names.isEmpty || Set(cues).count != cues.count else { return }
        cues = []
        fields.refuse("\"CUE\" must be PRE, POST or ONCE, or a list of them, each once")
    }

    fileprivate mutating func takeCustom(_ name: String, from fields: inout CommandFields) {
        let isName = name.utf8.dropFirst(2).allSatisfy { byte in
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-")
        }
        guard isName, name.utf8.count > 2, name.utf8.count <= 256 else {
            _ = fields.take(name)
            return fields.refuse("\"\(name)\" must consist of X-, capitals, digits and hyphens")
        }
        let value: CustomAttribute.Value?
        switch fields.take(name) {
        case .string(let text) where text.isQuotable && text.utf8.count <= 8192: value = .string(text)
        case .number(let number): value = CustomAttribute.Value(number)
        case .object(let object):
            guard object.count == 1, case .string(let digits)? = object["hex"] else { fallthrough }
            value = CustomAttribute.Value(digits: digits)
        default: value = nil
        }
        guard let value else {
            return fields.refuse(
                "\"\(name)\" must be a text without quotation marks, line breaks and {$, which is not empty; a number below 1e9 "
                    + "with up to six decimals; or {\"hex\": \"0A1B\"}"
            )
        }
        custom.append(CustomAttribute(name: name, value: value))
    }
}

extension DateRange.CustomAttribute.Value {
    /// Written without an exponent, which the grammar does not have.
    fileprivate init?(_ number: Double) {
        guard abs(number) < 1e9 else { return nil }
        let millionths = Int64((abs(number) * 1e6).rounded())
        guard abs(Double(millionths) / 1e6 - abs(number)) < 1e-9 * max(1, abs(number)) else { return nil }
        var text = (number < 0 ? "-" : "") + "\(millionths / 1_000_000)"
        var decimals = String(String(millionths % 1_000_000 + 1_000_000).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        if !decimals.isEmpty { text += ".\(decimals)" }
        self = .number(text)
    }

    fileprivate init?(digits: String) {
        guard let bytes = [UInt8](hexDigits: digits), !bytes.isEmpty, bytes.count <= 4096 else { return nil }
        self = .hexadecimal(bytes)
    }
}

extension MediaTime {
    fileprivate var wholeMilliseconds: MediaTime { MediaTime(milliseconds: milliseconds) }
}
