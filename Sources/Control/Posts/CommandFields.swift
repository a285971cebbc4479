import Foundation
import MediaCore
import NIOCore
import Playlists

/// Reads the fields of a posted object, and collects all problems.
struct CommandFields {
    private var fields: [String: JSONValue]
    private(set) var problems: [String] = []
    /// The time of "now", in UTC.
    let now: MediaTime

    /// - Parameters:
    ///   - json: The body of a request.
    ///   - now: The time of "now"; of no matter where there are no times.
    /// - Throws: ``MalformedRequest`` if it is not an object, or an object in it has a key twice.
    init(json: ByteBuffer, now: MediaTime = .zero) throws(MalformedRequest) {
        // RFC 8259 § 8.1 demands UTF-8, and the decoder does not; other encodings contain zeros.
        guard !json.readableBytesView.contains(0),
            case .object(let fields)? = try? JSONDecoder().decode(JSONValue.self, from: Data(json.readableBytesView))
        else { throw MalformedRequest("the body is not a JSON object") }
        if let key = JSONValue.repeatedKey(in: json) { throw MalformedRequest("\"\(key)\" is there twice") }
        self.init(fields, now: now)
    }

    private init(_ fields: [String: JSONValue], now: MediaTime) {
        (self.fields, self.now) = (fields, now)
    }

    /// The names of unused fields, in order.
    var names: [String] { fields.keys.sorted() }

    func has(_ name: String) -> Bool { fields[name] != nil }

    mutating func take(_ name: String) -> JSONValue? { fields.removeValue(forKey: name) }

    mutating func refuse(_ problem: String) { problems.append(problem) }

    /// Refuses something, unless a problem before is the reason.
    mutating func refuseUnlessRefused(_ problem: String) { if problems.isEmpty { refuse(problem) } }

    /// "now", or UTC in ISO 8601.
    ///
    /// Playlists have whole milliseconds.
    mutating func takeTime(_ name: String) -> MediaTime? {
        guard let value = take(name) else { return nil }
        var time: MediaTime?
        if case .string(let text) = value { time = text == "now" ? now : MediaTime(iso8601: text) }
        guard let time else {
            refuse("\"\(name)\" must be \"now\" or a time like 2026-11-23T08:00:00.000Z")
            return nil
        }
        guard MediaTime.eventTimes.contains(time) else {
            refuse("\"\(name)\" must lie between 1970 and \(MediaTime.eventTimes.upperBound.iso8601.prefix(4))")
            return nil
        }
        return MediaTime(milliseconds: time.milliseconds)
    }

    /// Seconds.
    mutating func takeSeconds(_ name: String, upTo most: Double) -> MediaTime? {
        guard let value = take(name) else { return nil }
        guard case .number(let seconds) = value, (0...most).contains(seconds) else {
            refuse("\"\(name)\" must be a number of seconds from 0 to \(Int(most))")
            return nil
        }
        return MediaTime(milliseconds: Int64((seconds * 1000).rounded()))
    }

    mutating func takeInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = take(name) else { return nil }
        guard case .number(let number) = value, let integer = Int(exactly: number), range.contains(integer) else {
            refuse("\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return integer
    }

    mutating func takeFlag(_ name: String) -> Bool? {
        guard let value = take(name) else { return nil }
        guard case .bool(let flag) = value else {
            refuse("\"\(name)\" must be true or false")
            return nil
        }
        return flag
    }

    /// A text of limited length, in bytes.
    mutating func takeText(_ name: String, in range: ClosedRange<Int> = 1...4096) -> String? {
        guard let value = take(name) else { return nil }
        guard case .string(let text) = value, range.contains(text.utf8.count) else {
            refuse("\"\(name)\" must be a text of \(range.lowerBound) to \(range.upperBound) bytes")
            return nil
        }
        return text
    }

    /// Takes a text that a quoted string of a playlist can hold (RFC 8216bis § 4.2).
    mutating func takeQuotable(_ name: String, upTo most: Int) -> String? {
        guard let text = takeText(name, in: 1...most) else { return nil }
        if text.isQuotable { return text }
        refuse(
            "\"\(name)\" must have no quotation marks, line breaks or control characters, and no {$: a playlist cannot say them"
        )
        return nil
    }

    /// A list of objects; problems name the object's index.
    ///
    /// `read` takes the known fields of an object, and refuses the rest.
    mutating func takeList<Item>(_ name: String, of read: (inout CommandFields) -> Item?) -> [Item] {
        guard case .array(let values)? = take(name), !values.isEmpty else {
            refuse("\"\(name)\" must be a list with something in it")
            return []
        }
        var items: [Item] = []
        for (index, value) in values.enumerated() {
            guard case .object(let object) = value else {
                refuse("\(name)[\(index)] must be an object")
                continue
            }
            var fields = CommandFields(object, now: now)
            if let item = read(&fields) { items.append(item) }
            for problem in fields.problems { refuse("\(name)[\(index)]: \(problem)") }
        }
        return items
    }

    /// An object; problems name it.
    ///
    /// `read` takes the known fields of the object, and refuses the rest.
    mutating func takeObject<Item>(_ name: String, _ read: (inout CommandFields) -> Item?) -> Item? {
        guard let value = take(name) else { return nil }
        guard case .object(let object) = value else {
            refuse("\"\(name)\" must be an object")
            return nil
        }
        var fields = CommandFields(object, now: now)
        let item = read(&fields)
        for problem in fields.problems { refuse("\(name): \(problem)") }
        return item
    }

    /// Refuses all unused keys.
    ///
    /// - Parameter known: The names of known fields, in words.
    mutating func refuseOthers(known: String) {
        for name in names { refuse("unknown key \"\(name)\"; keys: \(known)") }
    }

    /// - Throws: ``MalformedRequest`` if there is any problem.
    func check() throws(MalformedRequest) {
        if !problems.isEmpty { throw MalformedRequest(problems) }
    }
}
