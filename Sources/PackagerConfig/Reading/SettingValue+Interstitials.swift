import MediaCore
import Playlists

extension SettingValue {
    /// Reads the source of advertisements.
    static func adSource(_ text: String) throws(Invalid) -> AdSourceLocation {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.count == 2 ? parts[1].trimmingWhitespace : ""
        switch (parts[0], place.isEmpty) {
        case ("files", false): return .files(place)
        case ("command", false):
            return .command(place.split(separator: " ").map(String.init))
        case ("vast", false): return .server(try addressTemplate(place))
        default:
            throw Invalid(
                "'\(text)' is not a source of ads; write files:DIR, command:PROGRAM or vast:https://HOST/PATH"
            )
        }
    }

    /// Reads an absolute URL with gaps.
    static func addressTemplate(_ text: String) throws(Invalid) -> AddressTemplate {
        let template: AddressTemplate
        do {
            template = try AddressTemplate(text)
        } catch {
            let names = AddressTemplate.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
            throw Invalid("'\(error.text)' is not a property of a break; allowed are \(names)")
        }
        _ = try httpURL(text)
        guard text.isQuotable else { throw Invalid("an address cannot have quotation marks or control characters") }
        // RFC 8216bis § D.4
        guard !text.contains("?_HLS_"), !text.contains("&_HLS_") else {
            throw Invalid(
                "query names that begin with _HLS_ are reserved; the ID of the break is added automatically"
            )
        }
        return template
    }

    /// Reads the place of the programme after an interstitial.
    static func resumption(_ text: String) throws(Invalid) -> InterstitialTemplate.Resumption {
        switch text {
        case "live": return .live
        case "duration": return .duration
        default:
            guard let offset = try? duration(text, in: 0...86_400) else {
                throw Invalid("'\(text)' is neither live nor duration nor a number of seconds")
            }
            return .after(offset)
        }
    }

    /// Reads a whole number of seconds.
    static func wholeSeconds(_ text: String) throws(Invalid) -> Int {
        guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let count = Int(text), count <= 86_400 else {
            throw Invalid("'\(text)' is not a whole number of seconds")
        }
        return count
    }

    /// Reads the name of a label (RFC 8216bis § D.3).
    static func skipLabel(_ text: String) throws(Invalid) -> String {
        guard text.allSatisfy({ $0.isASCIILetter || $0 == "-" || $0 == "_" }) else {
            throw Invalid("'\(text)' is not a label; allowed are letters, '-' and '_'")
        }
        return text
    }
}
