import MediaCore
import Playlists

/// Reads the values of settings from text.
enum SettingValue {
    /// A sentence with the problem of a value and the allowed values.
    struct Invalid: Error, Hashable {
        var message: String

        init(_ message: String) {
            self.message = message
        }
    }

    /// Reads seconds, with up to three decimals.
    static func duration(_ text: String, in range: ClosedRange<Int64>) throws(Invalid) -> MediaTime {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : "0"
        let isNumber = (parts + [fraction]).allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
        guard isNumber, fraction.count <= 3, parts[0].count <= 9, let seconds = Int64(parts[0]),
            let milliseconds = Int64(fraction + String(repeating: "0", count: 3 - fraction.count))
        else {
            throw Invalid("'\(text)' is not a number of seconds; write it like 4 or 3.84, with at most three decimals")
        }
        let duration = MediaTime(milliseconds: seconds * 1000 + milliseconds)
        guard duration >= MediaTime(seconds: range.lowerBound), duration <= MediaTime(seconds: range.upperBound) else {
            throw Invalid("\(text) s is out of range; allowed are \(range.lowerBound) to \(range.upperBound) s")
        }
        return duration
    }

    /// Reads the offset of a clock from UTC: hours and minutes as in ISO 8601, or seconds; negative behind UTC.
    static func utcOffset(_ text: String) throws(Invalid) -> MediaTime {
        guard let match = text.wholeMatch(of: /([+-]?)(?:([0-9]{2}):([0-5][0-9])|([0-9]{1,5}))/) else {
            throw Invalid("'\(text)' is not an offset from UTC; write it like +02:00 or -05:30, or in seconds")
        }
        let (hours, minutes, seconds) = (Int64(match.2 ?? "0"), Int64(match.3 ?? "0"), Int64(match.4 ?? "0"))
        let offset = MediaTime(seconds: (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0))
        // No time zone is further away.
        guard offset <= MediaTime(seconds: 14 * 3600) else {
            throw Invalid("\(text) is out of range; allowed are -14:00 to +14:00")
        }
        return match.1 == "-" ? -offset : offset
    }

    static func boolean(_ text: String) throws(Invalid) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: throw Invalid("'\(text)' is neither true nor false")
        }
    }

    /// Reads one of the values of an enumeration.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: String
    ) throws(Invalid) -> Choice {
        try choice(text, among: Array(Choice.allCases))
    }

    /// Reads one of some values of an enumeration.
    static func choice<Choice: RawRepresentable<String>>(
        _ text: String,
        among choices: [Choice]
    ) throws(Invalid) -> Choice {
        if let choice = choices.first(where: { $0.rawValue == text }) { return choice }
        let names = choices.map(\.rawValue)
        let allowed = names.count == 1 ? "only \(names[0]) is allowed" : "allowed are \(names.joined(separator: ", "))"
        throw Invalid("'\(text)' is not known; \(allowed)" + Suggestion.text(for: text, among: names))
    }

    /// Reads a whole number of days.
    static func days(_ text: String, in range: ClosedRange<Int64>) throws(Invalid) -> MediaTime {
        guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let days = Int64(text), range.contains(days) else {
            throw Invalid("'\(text)' is not a number of days; allowed are \(range.lowerBound) to \(range.upperBound)")
        }
        return MediaTime(seconds: days * 86_400)
    }

    /// Reads how many connections there may be.
    static func connectionCount(_ text: String) throws(Invalid) -> Int {
        guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let count = Int(text), 1...10_000_000 ~= count else {
            throw Invalid("'\(text)' is not a number of connections; allowed are 1 to 10000000")
        }
        return count
    }

    /// Reads RENDITION=PEAK or RENDITION=PEAK/AVERAGE, in bits a second with k or M for powers of 1000.
    static func bandwidth(_ text: String) throws(Invalid) -> DeclaredBandwidth {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Invalid("'\(text)' is no bandwidth of a rendition; write it like video-1080p=6.5M/5M")
        }
        let rates = try parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            .map { rate throws(Invalid) in try bitRate(String(rate)) }
        let (peak, average) = (rates[0], rates[rates.count - 1])
        guard average <= peak else { throw Invalid("'\(text)' has an average above its peak") }
        return DeclaredBandwidth(rendition: String(parts[0]), peak: peak, average: average)
    }

    /// Reads bits a second, with k or M for powers of 1000.
    static func bitRate(_ text: String) throws(Invalid) -> Int {
        let units = ["K": 1_000, "M": 1_000_000]
        let unit = text.last.flatMap { units[$0.uppercased()] }
        let digits = unit == nil ? text[...] : text.dropLast()
        let isNumber = digits.allSatisfy { $0.isASCIIDigit || $0 == "." }
        guard isNumber, let number = Double(digits), (1_000...10_000_000_000).contains(number * Double(unit ?? 1))
        else {
            throw Invalid("'\(text)' is no bit rate; write it like 900k or 6.5M; allowed are 1k to 10000M")
        }
        return Int((number * Double(unit ?? 1)).rounded())
    }

    /// Reads HOST:PORT.
    static func listenAddress(_ text: String) throws(Invalid) -> ListenAddress {
        guard let colon = text.lastIndex(of: ":") else {
            throw Invalid("'\(text)' has no port; write HOST:PORT, like 127.0.0.1:8080")
        }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard isBracketed || !host.contains(":") else {
            throw Invalid("'\(text)' is ambiguous; write an IPv6 address in brackets, like [::1]:8080")
        }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:_%".contains($0)) })
        else {
            throw Invalid("'\(text)' has no host; write HOST:PORT, like 127.0.0.1:8080")
        }
        let digits = text[colon...].dropFirst()
        guard digits.allSatisfy(\.isASCIIDigit), let port = Int(digits), port <= 65_535 else {
            throw Invalid("'\(digits)' is not a port; allowed are 0 (any free one) to 65535")
        }
        return ListenAddress(host: String(host), port: port)
    }

    /// Reads a name that needs no encoding in a URL (RFC 3986 § 2.3, 3.3).
    static func channelName(_ text: String) throws(Invalid) -> String {
        let isAllowed = { (character: Character) in
            character.isASCIILetter || character.isASCIIDigit || "._-".contains(character)
        }
        guard text.allSatisfy(isAllowed), text != ".", text != "..", text.count <= 64 else {
            throw Invalid(
                "'\(text)' cannot be a channel's name; "
                    + "allowed are up to 64 letters, digits, '.', '_' and '-', not '.' or '..'"
            )
        }
        return text
    }

    /// Reads a language tag (RFC 5646 § 2.1); checks its form only.
    static func languageTag(_ text: String) throws(Invalid) -> String {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...8).contains(subtags[0].count) && subtags[0].allSatisfy(\.isASCIILetter)
            && subtags.dropFirst().allSatisfy { subtag in
                (1...8).contains(subtag.count) && subtag.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            }
        guard isTag else { throw Invalid("'\(text)' is not a language tag; write it like en or pt-BR") }
        return text
    }

    /// Reads a text that stands in a quoted string of a playlist (RFC 8216bis § 4.2).
    static func quotable(_ text: String) throws(Invalid) -> String {
        guard text.isQuotable else {
            throw Invalid(
                "the text must not be empty, and may not have quotation marks, line ends, control characters or '{$'"
            )
        }
        return text
    }

    /// Reads the URL of an HTTP server.
    static func httpURL(_ text: String) throws(Invalid) -> String {
        let lower = text.lowercased()
        let rest = ["http://", "https://"].first(where: lower.hasPrefix).map { text.dropFirst($0.count) }
        guard let rest, let first = rest.first, first != "/", !text.contains(where: \.isWhitespace) else {
            throw Invalid("'\(text)' is not the URL of a server; write it like http://10.0.0.2:8080")
        }
        // RFC 3986 § 3.2: logs show it, and so does the control API.
        guard !rest.prefix(while: { !"/?#".contains($0) }).contains("@") else {
            throw Invalid("the URL of a server cannot have a user or a password; write it like http://10.0.0.2:8080")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Reads the ID of captions in a video (RFC 8216bis § 4.4.6.1, INSTREAM-ID).
    static func captionChannel(_ text: String) throws(Invalid) -> String {
        guard CaptionChannel(text) != nil else {
            throw Invalid("'\(text)' is no caption channel; allowed are CC1 to CC4 and SERVICE1 to SERVICE63")
        }
        return text
    }

    /// Reads the choice of texts inside feeds that become subtitles.
    static func feedSubtitle(_ text: String) throws(Invalid) -> FeedSubtitles.Choice {
        guard let choice = FeedSubtitles.Choice(rawValue: text) else {
            throw Invalid(
                "'\(text)' is not a kind of subtitles in feeds; allowed are text, teletext, bitmaps, a page (100 to 899), CC1 to CC4, "
                    + "SERVICE1 to SERVICE63, and none"
            )
        }
        return choice
    }

    /// Reads where SCTE-35 is looked for.
    static func splicePID(_ text: String) throws(Invalid) -> SplicePID {
        if text == "auto" { return .automatic }
        let isHexadecimal = text.lowercased().hasPrefix("0x")
        let digits = isHexadecimal ? text.dropFirst(2) : text[...]
        // ISO/IEC 13818-1 Table 2-3.
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.allSatisfy({ $0.isHexDigit && $0.isASCII }),
            let number = Int(digits, radix: isHexadecimal ? 16 : 10), 16...8_190 ~= number
        else {
            throw Invalid("'\(text)' is no PID; allowed are 16 to 8190, 0x10 to 0x1FFE, and auto")
        }
        return .number(number)
    }

    /// Reads the service of a subtitle track inside a feed.
    static func textService(_ text: String) throws(Invalid) -> TextService {
        switch FeedSubtitles.Choice(rawValue: text) {
        case .page(let page)?: return .teletext(page: page)
        case .captions(let channel)?: return .captions(channel)
        default:
            throw Invalid("'\(text)' is no page of teletext (100 to 899), CC1 to CC4 or SERVICE1 to SERVICE63")
        }
    }

    /// Reads a program_number (ISO/IEC 13818-1 § 2.4.4.3).
    static func programNumber(_ text: String) throws(Invalid) -> Int {
        guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let number = Int(text), 1...65_535 ~= number else {
            throw Invalid("'\(text)' is not the number of a program; allowed are 1 to 65535")
        }
        return number
    }

    /// Reads a uniform type identifier, as CHARACTERISTICS has them.
    static func uniformTypeIdentifier(_ text: String) throws(Invalid) -> String {
        let isAllowed = text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == "." || $0 == "-" }
        guard isAllowed, text.contains(".") else {
            throw Invalid(
                "'\(text)' is not a uniform type identifier; write it like public.accessibility.describes-video"
            )
        }
        return text
    }

    static func any(_ text: String) throws(Invalid) -> String { text }
}
