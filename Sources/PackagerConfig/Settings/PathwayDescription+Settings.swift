extension PathwayDescription: Configurable {
    static let settings: [BoundSetting<PathwayDescription>] = [
        BoundSetting("id", \.id, .pathwayID, api: .open, affects: .rolling) {
            "Name of the pathway (PATHWAY-ID): letters, digits, '.', '-' and '_'."
        },
        BoundSetting("url", \.url, .pathwayURL, api: .server, affects: .rolling) {
            "Scheme and host of the pathway; channels are below it by their names."
        },
    ]
}

extension SettingType where Value == String {
    static let pathwayID = SettingType(SettingValue.pathwayID, SettingSyntax(unit: "name")) { $0.isEmpty ? nil : $0 }
    static let pathwayURL = SettingType(SettingValue.pathwayURL, SettingSyntax(unit: "url")) { $0.isEmpty ? nil : $0 }
}

extension SettingValue {
    /// RFC 8216bis § 4.4.6.2.
    static func pathwayID(_ text: String) throws(Invalid) -> String {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || ".-_".contains($0) }) else {
            throw Invalid("'\(text)' is not the name of a pathway; it has letters, digits, '.', '-' and '_'")
        }
        guard text != "." else { throw Invalid("'.' is the pathway on which players begin; give another name") }
        return text
    }

    /// A server without a path: players put its host in place of that of the playlist (§ 7.2).
    static func pathwayURL(_ text: String) throws(Invalid) -> String {
        let url = try baseURL(text)
        guard !url.dropFirst("https://".count).contains("/") else {
            throw Invalid(
                "'\(text)' has a path; only the host can differ between pathways, as in https://cdn-a.example.com"
            )
        }
        return url
    }
}

extension ConfigurationReader {
    /// Checks the pathways of a channel.
    mutating func checkPathways(_ pathways: [SettingReading<PathwayDescription>]) {
        if pathways.count > Self.mostPathways, let origin = pathways.last?.origin {
            report(origin, "there are \(pathways.count) pathways; allowed are \(Self.mostPathways)")
        }
        var taken: Set<String> = []
        for pathway in pathways {
            guard let origin = pathway[\.id]?.origin ?? pathway[\.url]?.origin ?? pathway.origin else { continue }
            if !pathway.isGiven(\.id) { report(origin, "there is no id; write it like 'id: cdn-a'") }
            if !pathway.isGiven(\.url) {
                report(origin, "there is no url; write it like 'url: https://cdn-a.example.com'")
            }
            let (id, url) = (pathway.value.id, pathway.value.url)
            if !id.isEmpty, !taken.insert("id \(id)").inserted { report(origin, "there is a pathway '\(id)' already") }
            if !url.isEmpty, !taken.insert("url \(url)").inserted {
                report(origin, "there is a pathway to \(url) already")
            }
        }
    }

    /// Each pathway is checked all the time.
    private static let mostPathways = 8
}
