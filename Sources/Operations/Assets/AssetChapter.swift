package import MediaCore

/// A chapter of a finished asset.
package struct AssetChapter: Hashable, Sendable {
    /// UTC.
    package var start: MediaTime
    /// The title; nil if it has a number only.
    package var title: String?
    /// The language of the title (BCP 47).
    package var language: String?

    package init(start: MediaTime, title: String? = nil, language: String? = nil) {
        (self.start, self.title, self.language) = (start, title, language)
    }
}

extension AssetChapter: Codable {
    private enum CodingKeys: String, CodingKey { case start = "at", title, language }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        start = try container.decode(Timestamp.self, forKey: .start).time
        title = try container.decodeIfPresent(String.self, forKey: .title)
        language = try container.decodeIfPresent(String.self, forKey: .language)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Timestamp(start), forKey: .start)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(language, forKey: .language)
    }
}
