import MediaCore

extension SessionDatum: Configurable {
    static let settings: [BoundSetting<SessionDatum>] = [
        BoundSetting("id", \.id, .dataID, api: .open, affects: .rolling) {
            "Identifier, as a reversed domain name (DATA-ID)."
        },
        BoundSetting("value", \.value, SettingType.quotable.optional, api: .open, affects: .rolling) {
            "Value as text."
        },
        BoundSetting("uri", \.uri, SettingType.quotable.optional, api: .open, affects: .rolling) {
            "Address of the value instead, relative to the multivariant playlist."
        },
        BoundSetting("format", \.format, .choice, api: .open, affects: .rolling) {
            "Format of the file at that address."
        },
        BoundSetting("language", \.language, SettingType.languageTag.optional, api: .open, affects: .rolling) {
            "Language tag of the value (BCP 47)."
        },
    ]
}

extension SettingType where Value == String {
    static let dataID = SettingType(SettingValue.dataID) { $0.isEmpty ? nil : $0 }
}

extension SettingValue {
    /// Reads the DATA-ID of session data.
    static func dataID(_ text: String) throws(Invalid) -> String {
        let isAllowed = text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".contains($0) }
        guard isAllowed, text.contains(".") else {
            throw Invalid("'\(text)' is not an ID of session data; write it like com.example.title")
        }
        // RFC 8216bis Appendix E and G.
        guard !text.hasPrefix("_hls.") else {
            throw Invalid("IDs that begin with _hls. are reserved; for names of renditions, use localized-names")
        }
        return text
    }
}
