import MediaCore
import TimedText

extension SettingValue {
    static func requestCount(_ text: String) throws(Invalid) -> Int {
        guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let count = Int(text), 1...1_000_000 ~= count else {
            throw Invalid("'\(text)' is not a number of requests; allowed are 1 to 1000000")
        }
        return count
    }

    /// A path, or a URL without a user: logs show it.
    static func fileOrURL(_ text: String) throws(Invalid) -> String {
        text.contains("://") ? try httpURL(text) : text
    }

    /// A point of UTC, or `midnight`.
    static func timedTextOrigin(_ text: String) throws(Invalid) -> TimedTextOrigin {
        if text == "midnight" { return .midnight }
        guard let time = MediaTime(iso8601: text) else {
            throw Invalid("'\(text)' is neither midnight nor a point in time; write it like 2026-11-23T08:00:00Z")
        }
        return .utc(time)
    }

    /// The URL of an HTTP server that paths are appended to; it stands in quoted strings, where braces are variables.
    static func baseURL(_ text: String) throws(Invalid) -> String {
        let url = try httpURL(text)
        guard !url.unicodeScalars.contains(where: { "?#\"{}".unicodeScalars.contains($0) || $0.value <= 0x20 }) else {
            throw Invalid("'\(text)' cannot be followed by a path; write it like https://keys.example.com/live-tv")
        }
        return url
    }

    /// The value of a claim in a token: a name or a URI (RFC 7519 § 2).
    static func claim(_ text: String) throws(Invalid) -> String {
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else {
            throw Invalid("'\(text)' is not a claim; it is a name or a URI without spaces")
        }
        return text
    }

    /// Reads the name of a parameter that no URL needs to encode.
    static func queryName(_ text: String) throws(Invalid) -> String {
        let isName = text.utf8.allSatisfy { byte in
            Character(UnicodeScalar(byte)).isASCIIDigit || (0x41...0x5A).contains(byte & 0xDF)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isName, !text.isEmpty else {
            throw Invalid("'\(text)' is not the name of a parameter; it has letters, digits, '-' and '_'")
        }
        return text
    }
}
