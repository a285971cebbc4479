import MediaCore

/// Settings about the source of content keys, and about their names.
extension SettingValue {
    /// Reads `derived`, or a kind of source, a colon and its location.
    static func keySource(_ text: String) throws(Invalid) -> KeySourceLocation {
        if text == KeySourceLocation.derived.kind { return .derived }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.count == 2 ? String(parts[1]) : ""
        guard !place.isEmpty else { throw unknownKeySource(text) }
        switch parts[0] {
        case "file": return .file(place)
        case "cpix":
            if place.contains("://") { _ = try httpURL(place) }
            return .cpix(place)
        case "speke":
            _ = try httpURL(place)
            return .speke(place)
        default: throw unknownKeySource(text)
        }
    }

    private static func unknownKeySource(_ text: String) -> Invalid {
        let kind = text.prefix { $0 != ":" }
        return Invalid(
            "'\(kind)' is not a source of keys; write derived, file:PATH, cpix:PATH, cpix:https://HOST/PATH or "
                + "speke:https://HOST/PATH"
        )
    }

    /// Reads the content ID of a channel at a key server.
    static func contentID(_ text: String) throws(Invalid) -> String {
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) }
        guard !text.isEmpty, text.utf8.count <= 256, isPrintable else {
            throw Invalid("'\(text)' cannot be a content ID; allowed are up to 256 bytes of printable characters")
        }
        return text
    }
}
