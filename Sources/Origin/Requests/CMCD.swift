import MediaCore

/// A player's report of itself with a request: Common Media Client Data (CTA-5004, and its second version).
///
/// The report is the parameter `CMCD` of the query, or fields whose names begin with `CMCD-`, each with several keys.
/// Players differ in its form, and strangers can send anything: unreadable keys are skipped, and no answer depends on
/// the report.
package struct CMCD: Hashable, Sendable {
    /// Tells the playback session from others (`sid`).
    var session: Int?
    /// True if the player ran out of media since the request before (`bs`).
    var isStarved = false
    /// Milliseconds of media that it has (`bl`).
    var bufferLength: Int?
    /// The bit rate of the requested object (`br`), in kilobits a second, by the type of the object.
    var videoRate: Int?
    var audioRate: Int?
    /// Kilobits a second that it has measured (`mtp`).
    var throughput: Int?

    /// The most bytes of one field or parameter that a player sends.
    static let longest = 2048
    /// Fields of one request that are read.
    private static let maximumFields = 8
    /// The prefix of its header fields, in small letters.
    static let fieldPrefix = "cmcd-"
    /// The largest figure that means anything.
    private static let maximumFigure = 100_000_000

    /// The types of object (`ot`) that matter here.
    private enum ObjectType {
        case video, audio, other
    }

    /// Fails if the request has no CMCD.
    ///
    /// - Parameters:
    ///   - target: The target of the request.
    ///   - fields: The values of those whose names begin with `fieldPrefix`.
    package init?(target: String, fields: [String]) {
        let parameter = Self.parameter(of: target)
        if parameter == nil, fields.isEmpty { return nil }
        var pairs: [Pair] = []
        if let parameter { Self.read(Self.decoded(parameter), into: &pairs) }
        for value in fields.prefix(Self.maximumFields) where value.utf8.count <= Self.longest {
            Self.read(Array(value.utf8), into: &pairs)
        }
        take(pairs)
    }

    private mutating func take(_ pairs: [Pair]) {
        let type = pairs.last { $0.key.elementsEqual("ot".utf8) }.map { Self.objectType($0.value) }
        for pair in pairs {
            switch String(decoding: pair.key, as: UTF8.self) {
            case "sid":
                // CTA-5004: a GUID is meant, at most 64 characters.
                guard (1...64).contains(pair.value.count) else { continue }
                var hasher = Hasher()
                for byte in pair.value { hasher.combine(byte) }
                session = hasher.finalize()
            case "bs": isStarved = Self.isTrue(pair.value)
            // Values for subtitles and playlists do not describe playback.
            case "bl": if type != .other { bufferLength = Self.figures(pair.value).map(\.value).min() }
            case "mtp": throughput = Self.figures(pair.value).map(\.value).max()
            case "br":
                for (value, kind) in Self.figures(pair.value) {
                    switch kind ?? type ?? .video {
                    case .video: videoRate = value
                    case .audio: audioRate = value
                    case .other: break
                    }
                }
            default: break
            }
        }
    }
}

// MARK: Reading

extension CMCD {
    private struct Pair {
        var key: ArraySlice<UInt8>
        /// The value without quotation marks; empty for a key alone.
        var value: ArraySlice<UInt8>
    }

    /// The value of the parameter, still encoded.
    private static func parameter(of target: String) -> Substring.UTF8View? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var rest = target[target.utf8.index(after: mark)...].utf8
        while !rest.isEmpty {
            let parameter = rest.prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#") }
            if parameter.starts(with: "CMCD=".utf8) { return parameter.dropFirst(5) }
            rest = rest[parameter.endIndex...].dropFirst()
        }
        return nil
    }

    /// - Returns: Nothing if it is too long, or badly encoded.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        guard text.count <= longest * 3 else { return [] }
        let bytes = PercentEncoding.decoded(text) ?? []
        return bytes.count <= longest ? bytes : []
    }

    /// Keys and values, with commas between them; a comma inside quotation marks or parentheses does not separate.
    private static func read(_ bytes: [UInt8], into pairs: inout [Pair]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var (isQuoted, isEscaped, depth) = (false, false, 0)
            let item = rest.prefix { byte in
                defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
                if isEscaped { return true }
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if isQuoted { return true }
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                return byte != UInt8(ascii: ",") || depth > 0
            }
            rest = rest[item.endIndex...].dropFirst()
            let trimmed = item.drop { $0 == UInt8(ascii: " ") }
            let key = trimmed.prefix { $0 != UInt8(ascii: "=") }
            if !key.isEmpty { pairs.append(Pair(key: key, value: unquoted(trimmed[key.endIndex...].dropFirst()))) }
        }
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, value.first == quote, value.last == quote else { return value }
        return value.dropFirst().dropLast()
    }

    /// A key alone means true; other versions or clients may write the value out.
    private static func isTrue(_ value: ArraySlice<UInt8>) -> Bool {
        value.isEmpty || value.elementsEqual("?1".utf8) || value.elementsEqual("true".utf8)
    }

    private static func objectType(_ value: ArraySlice<UInt8>) -> ObjectType {
        if value.elementsEqual("a".utf8) { return .audio }
        return value.elementsEqual("v".utf8) || value.elementsEqual("av".utf8) ? .video : .other
    }

    /// Reads a figure, or figures in parentheses for each type of object: `(4000;v 128;a)`.
    private static func figures(_ value: ArraySlice<UInt8>) -> [(value: Int, type: ObjectType?)] {
        guard value.first == UInt8(ascii: "(") else { return figure(value).map { [($0, nil)] } ?? [] }
        let items = value.dropFirst().prefix { $0 != UInt8(ascii: ")") }.split(separator: UInt8(ascii: " "))
        return items.prefix(8).compactMap { item in
            let parts = item.split(separator: UInt8(ascii: ";"))
            guard let first = parts.first, let figure = figure(first) else { return nil }
            return (figure, parts.count > 1 ? objectType(parts[1]) : nil)
        }
    }

    /// A number, whose decimals do not count.
    private static func figure(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.prefix { $0 != UInt8(ascii: ".") }
        guard (1...9).contains(digits.count) else { return nil }
        var figure = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            figure = figure * 10 + Int(byte - 0x30)
        }
        return figure <= maximumFigure ? figure : nil
    }
}
